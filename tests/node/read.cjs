// A graph file read by graphology: node read.cjs FILE prints it as JSON.
const fs = require('node:fs');
const { MultiGraph } = require('graphology');
const gexf = require('graphology-gexf');
const graphml = require('graphology-graphml');

const file = process.argv[2];
const parse = file.endsWith('.gexf') ? gexf.parse : graphml.parse;
const graph = parse(MultiGraph, fs.readFileSync(file, 'utf8'));
process.stdout.write(JSON.stringify({
  nodes: graph.mapNodes((key, attributes) => ({ key, attributes })),
  edges: graph.mapEdges((key, attributes, source, target) => (
    { key, attributes, source, target, undirected: graph.isUndirected(key) })),
}));
