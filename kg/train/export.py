"""The trained network to four ONNX graphs of fused operators, weights in half precision.

The graphs are written operator by operator: attention, GELU with its bias and the sum before a
layer norm are ONNX Runtime's fused ones (domain `com.microsoft`), which no exporter has to find
again. Matrices are kept as float16 and cast once when the session starts; the table of word
pieces is kept as int8 with one scale a row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from kg.extract.layout import NONE, WIDEST
from kg.train.encoder import HEADS, WIDTH, Encoder, Layer, row_steps
from kg.train.network import LOOKS, PAIR, SPAN, Context, Network, Relate, SpanHead

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from torch import Tensor, nn

FLOAT, INT = TensorProto.FLOAT, TensorProto.INT64
FUSED = "com.microsoft"
Shapes = dict[str, tuple[int, "Sequence[str | int | None]"]]


class Builder:
    """An ONNX graph under construction.

    Weights keep the names that they have in the network (a trailing ".T" where transposed), so
    that a model folder can be trained on: see `kg.train.folder`.
    """

    def __init__(self, network: Network) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.held: list[onnx.TensorProto] = []
        self.count = 0
        self.pieces: tuple[str, str] | None = None
        self.names = {id(p): name for name, p in network.named_parameters()}

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: object) -> str:
        """Add a node with one output; give its name."""
        self.count += 1
        name = f"v{self.count}"
        node = helper.make_node(kind, list(inputs), [name], domain=domain, **attributes)  # type: ignore[arg-type]
        self.nodes.append(node)
        return name

    def ops(self, kind: str, outputs: int, *inputs: str, **attributes: int) -> list[str]:
        """Add a node with several outputs; give their names."""
        self.count += 1
        names = [f"v{self.count}.{n}" for n in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **attributes))  # type: ignore[arg-type]
        return names

    def const(self, value: np.ndarray, name: str | None = None) -> str:
        """Add an initializer as it is."""
        self.count += 1
        name = name or f"c{self.count}"
        self.held.append(numpy_helper.from_array(value, name))
        return name

    def ints(self, *values: int) -> str:
        """Add a vector of integers."""
        return self.const(np.array(values, dtype=np.int64))

    def weight(self, value: Tensor, *, turned: bool = False) -> str:
        """Add weights: matrices in float16 with a cast behind them, vectors in float32."""
        name = self.names[id(value)] + (".T" if turned else "")
        array = value.detach().float().numpy()
        if array.ndim < 2:
            return self.const(array, name)
        array = np.ascontiguousarray(array.T) if turned else array
        return self.op("Cast", self.const(array.astype(np.float16), name), to=FLOAT)

    def linear(self, x: str, layer: nn.Linear) -> str:
        """A dense layer with its bias."""
        return self.op("Add", self.product(x, layer), self.weight(layer.bias))

    def product(self, x: str, layer: nn.Linear) -> str:
        """A dense layer without its bias."""
        return self.op("MatMul", x, self.weight(layer.weight, turned=True))

    def gelu(self, x: str, layer: nn.Linear) -> str:
        """A dense layer, then GELU, bias and GELU in one."""
        product = self.product(x, layer)
        return self.op("BiasGelu", product, self.weight(layer.bias), domain=FUSED)

    def norm(self, x: str, norm: nn.LayerNorm) -> str:
        """Layer norm, each piece as a channel of an instance norm.

        ONNX Runtime sums a layer norm one number after the other, an instance norm in vectors.
        """
        ones, zeros = self.per_piece(x)
        x = self.op("InstanceNormalization", x, ones, zeros, epsilon=norm.eps)
        x = self.op("Mul", x, self.weight(norm.weight))
        return self.op("Add", x, self.weight(norm.bias))

    def per_piece(self, x: str) -> tuple[str, str]:
        """A one and a zero for each piece of the graph's texts, made once."""
        if self.pieces is None:
            count = self.op("Slice", self.op("Shape", x), self.ints(1), self.ints(2))
            one, zero = (self.const(np.array([n], dtype=np.float32)) for n in (1, 0))
            self.pieces = self.op("Expand", one, count), self.op("Expand", zero, count)
        return self.pieces

    def whole(self, x: str, layer: nn.Linear, *, bias: bool = True) -> str:
        """A dense layer over whole numbers: 8 bits of the input, 7 of the weights."""
        name = self.names[id(layer.weight)]
        rows, scale = whole_rows(layer.weight.detach().float().numpy())
        held = self.const(np.ascontiguousarray(rows.T), f"{name}.T.int8")
        zero = self.const(np.zeros(len(scale), dtype=np.int8))
        sizes = self.const(scale[:, 0], f"{name}.T.scale")
        more = (self.weight(layer.bias),) if bias else ()
        return self.op("DynamicQuantizeMatMul", x, held, sizes, zero, *more, domain=FUSED)

    def transformer(self, x: str, layer: Layer) -> str:
        """One transformer layer on `(1, pieces, width)`, its products over whole numbers."""
        q, k, v = self.ops("Split", 3, self.whole(x, layer.qkv), axis=-1)
        a = self.op("MultiHeadAttention", q, k, v, domain=FUSED, num_heads=HEADS)
        x = self.norm(self.op("Add", x, self.whole(a, layer.out)), layer.norm1)
        bias = self.weight(layer.up.bias)
        up = self.op("BiasGelu", self.whole(x, layer.up, bias=False), bias, domain=FUSED)
        return self.norm(self.op("Add", x, self.whole(up, layer.down)), layer.norm2)

    def embed(self, ids: str, table: nn.Embedding) -> str:
        """Rows of a table in float16."""
        return self.op("Gather", self.weight(table.weight), ids)

    def embed_int8(self, ids: str, table: nn.Embedding) -> str:
        """Rows of a table kept as int8 with a scale a row."""
        array = table.weight.detach().float().numpy()
        scale = np.maximum(np.abs(array).max(axis=1, keepdims=True), 1e-8) / 127.0
        name = self.names[id(table.weight)]
        whole = np.round(array / scale).astype(np.int8)
        rows = self.op("Gather", self.const(whole, f"{name}.int8"), ids)
        scales = self.op("Gather", self.const(scale.astype(np.float32), f"{name}.scale"), ids)
        return self.op("Mul", self.op("Cast", rows, to=FLOAT), scales)

    def save(self, path: Path, inputs: Shapes, outputs: dict[str, str]
             ) -> None:  # fmt: skip
        """Write the graph; `inputs` map to type and shape, `outputs` to the value's name."""
        for name, value in outputs.items():
            self.nodes.append(helper.make_node("Identity", [value], [name]))
        graph = helper.make_graph(
            self.nodes,
            path.stem,
            [helper.make_tensor_value_info(n, t, s) for n, (t, s) in inputs.items()],
            [helper.make_tensor_value_info(n, FLOAT, None) for n in outputs],
            initializer=self.held,
        )
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="kg")
        path.write_bytes(model.SerializeToString(deterministic=True))


def whole_rows(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights `(out, in)` as int8 of 7 bits with one scale `(out, 1)` a row."""
    scale = row_steps(torch.from_numpy(weights)).numpy()
    return np.round(weights / scale).astype(np.int8), scale


def encoder_graph(b: Builder, encoder: Encoder) -> str:
    """Word pieces to states `(1, pieces, width)`."""
    x = b.op("Add", b.embed_int8("ids", encoder.pieces), b.embed("place", encoder.positions))
    for name in ("case", "shape", "glue"):
        x = b.op("Add", x, b.embed(name, getattr(encoder, name)))
    x = b.norm(x, encoder.norm)
    for layer in encoder.layers:
        x = b.transformer(x, layer)  # type: ignore[arg-type]
    return x


def span_graph(b: Builder, states: str, head: SpanHead) -> str:
    """States to span scores `(types + 1, words, words)`."""
    flat = b.op("Squeeze", states, b.ints(0))
    start, end = b.op("Gather", flat, "first"), b.op("Gather", flat, "last")
    s, e = b.gelu(start, head.start), b.gelu(end, head.end)
    p = b.op("Reshape", b.linear(s, head.product), b.ints(0, NONE + 1, SPAN))
    p = b.op("Transpose", p, perm=[1, 0, 2])
    scores = b.op("MatMul", p, b.op("Transpose", e, perm=[1, 0]))
    scores = b.op("Mul", scores, b.const(np.array(SPAN**-0.5, dtype=np.float32)))
    left = b.op("Unsqueeze", b.op("Transpose", b.linear(s, head.left), perm=[1, 0]), b.ints(2))
    right = b.op("Unsqueeze", b.op("Transpose", b.linear(e, head.right), perm=[1, 0]), b.ints(1))
    scores = b.op("Add", b.op("Add", scores, left), right)
    inside = b.op("Transpose", b.linear(start, head.inside), perm=[1, 0])
    sums = b.op("CumSum", inside, b.const(np.array(1, dtype=np.int64)))
    before = b.op("Sub", sums, inside)
    spread = b.op("Sub", b.op("Unsqueeze", sums, b.ints(1)), b.op("Unsqueeze", before, b.ints(2)))
    wide = b.op("Sub", b.op("Unsqueeze", "order", b.ints(0)), b.op("Unsqueeze", "order", b.ints(1)))
    bounds = (b.const(np.array(n, dtype=np.int64)) for n in (0, WIDEST - 1))
    wide = b.op("Clip", wide, *bounds)
    length = b.op("Add", b.op("Cast", wide, to=FLOAT), b.const(np.array(1, dtype=np.float32)))
    return b.op("Add", scores, b.op("Div", spread, length))


def pooled_graph(b: Builder, m: str, pool: str) -> str:
    """Mention vectors and owners to greatest and mean."""
    total = b.op("ReduceSum", pool, b.ints(1), keepdims=1)
    mean = b.op("Div", b.op("MatMul", pool, m), total)
    one = b.const(np.array(1, dtype=np.float32))
    far = b.const(np.array(1e4, dtype=np.float32))
    shut = b.op("Mul", b.op("Sub", b.op("Unsqueeze", pool, b.ints(2)), one), far)
    great = b.op(
        "ReduceMax", b.op("Add", b.op("Unsqueeze", m, b.ints(0)), shut), axes=[1], keepdims=0
    )
    return b.op("Concat", great, mean, axis=-1)


def names_graph(b: Builder, c: Context) -> dict[str, str]:
    """Marked states and names to mention vectors, type scores, scores of being one entity."""
    ends = b.op("Concat", b.op("Gather", "x", "first"), b.op("Gather", "x", "last"), axis=-1)
    m = b.gelu(ends, c.mention)
    g = pooled_graph(b, m, "pool")
    types = b.linear(b.gelu(g, c.type1), c.type2)
    s = b.linear(g, c.same)
    one, other = b.op("Unsqueeze", s, b.ints(1)), b.op("Unsqueeze", s, b.ints(0))
    gap = b.op("Abs", b.op("Sub", one, other))
    pair = b.op("Concat", b.op("Mul", one, other), gap, "likeness", axis=-1)
    same = b.op("Squeeze", b.linear(b.gelu(pair, c.same1), c.same2), b.ints(2))
    half = b.const(np.array(0.5, dtype=np.float32))
    same = b.op("Mul", b.op("Add", same, b.op("Transpose", same, perm=[1, 0])), half)
    return {"vectors": m, "types": types, "same": same}


def relate_graph(b: Builder, r: Relate) -> dict[str, str]:
    """Entities and pairs to role scores and relation scores."""

    def column(matrix: str, index: int) -> str:
        return b.op("Gather", matrix, b.const(np.array(index, dtype=np.int64)), axis=1)

    known = [b.embed("kinds", r.kind), b.embed(column("features", 0), r.count)]
    known += [b.embed(column("features", 1), r.title), b.embed(column("features", 2), r.position)]
    e = b.op("Concat", pooled_graph(b, "vectors", "pool"), *known, axis=-1)
    whole = b.op("Slice", "x", b.ints(0), b.ints(1), b.ints(0))
    count = b.op("Slice", b.op("Shape", e), b.ints(0), b.ints(1))
    whole = b.op("Expand", whole, b.op("Concat", count, b.ints(WIDTH), axis=0))
    roles = b.linear(b.gelu(b.op("Concat", e, whole, axis=-1), r.role1), r.role2)
    h = b.op("Gather", b.linear(e, r.head), column("pairs", 0))
    t = b.op("Gather", b.linear(e, r.tail), column("pairs", 1))
    ask = b.op("Reshape", b.linear(b.op("Concat", h, t, axis=-1), r.ask), b.ints(-1, LOOKS, 64))
    key = b.op("Reshape", b.linear("x", r.key), b.ints(-1, LOOKS, 64))
    look = b.op(
        "MatMul", b.op("Transpose", ask, perm=[1, 0, 2]), b.op("Transpose", key, perm=[1, 2, 0])
    )
    look = b.op("Softmax", b.op("Mul", look, b.const(np.array(0.125, dtype=np.float32))), axis=-1)
    value = b.op("Reshape", b.linear("x", r.value), b.ints(-1, LOOKS, PAIR // LOOKS))
    seen = b.op("MatMul", look, b.op("Transpose", value, perm=[1, 0, 2]))
    seen = b.op("Reshape", b.op("Transpose", seen, perm=[1, 0, 2]), b.ints(-1, PAIR))
    where = [
        b.embed(column("pair_features", i), table)
        for i, table in enumerate((r.sentence, r.distance, r.order, r.shared))
    ]
    pair = b.op("Concat", h, t, b.op("Mul", h, t), seen, *where, "likeness", axis=-1)
    return {"roles": roles, "relations": b.linear(b.gelu(pair, r.rel1), r.rel2)}


def export(network: Network, folder: Path) -> None:
    """Write `encode.onnx`, `context.onnx`, `names.onnx` and `relate.onnx` into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    row: Sequence[str | int | None] = [1, "pieces"]
    b = Builder(network)
    states = encoder_graph(b, network.encoder)
    inputs: Shapes = dict.fromkeys(("ids", "place", "case", "shape", "glue"), (INT, row))
    inputs |= {n: (INT, ["words"]) for n in ("first", "last", "order")}
    outputs = {"states": states, "scores": span_graph(b, states, network.spans)}
    width = network.spans.width
    outputs["width"] = b.const(width.detach().float().numpy(), b.names[id(width)])
    b.save(folder / "encode.onnx", inputs, outputs)
    b = Builder(network)
    x = b.op("Add", "states", b.embed("tags", network.context.tags))
    for layer in network.context.layers:
        x = b.transformer(x, layer)  # type: ignore[arg-type]
    given: Shapes = {"states": (FLOAT, [*row, WIDTH]), "tags": (INT, row)}
    b.save(folder / "context.onnx", given, {"x": x})
    b = Builder(network)
    flat: Shapes = {"x": (FLOAT, ["pieces", WIDTH])}
    named = flat | {"first": (INT, ["mentions"]), "last": (INT, ["mentions"])}
    named |= {"pool": (FLOAT, ["groups", "mentions"]), "likeness": (FLOAT, ["groups", "groups", 8])}
    b.save(folder / "names.onnx", named, names_graph(b, network.context))
    b = Builder(network)
    related = flat | {
        "vectors": (FLOAT, ["mentions", WIDTH]),
        "pool": (FLOAT, ["entities", "mentions"]),
    }
    related |= {"features": (INT, ["entities", 3]), "kinds": (INT, ["entities"])}
    related |= {"pairs": (INT, ["pairs", 2]), "pair_features": (INT, ["pairs", 4])}
    related |= {"likeness": (FLOAT, ["pairs", 8])}
    b.save(folder / "relate.onnx", related, relate_graph(b, network.relate))
