// What sigma.js draws with: its own programs for nodes and edges, and no more of it than the page needs.

// Discs, squares, diamonds and triangles of about equal area, with a thin outline.
function shapeProgram(outline) {
  const FLOAT = WebGLRenderingContext.FLOAT;
  const BYTE = WebGLRenderingContext.UNSIGNED_BYTE;
  return class extends sigmaBundle.NodeProgram {
    getDefinition() {
      return {
        VERTICES: 3,
        METHOD: WebGLRenderingContext.TRIANGLES,
        VERTEX_SHADER_SOURCE: `
          attribute vec4 a_color; attribute vec2 a_position;
          attribute float a_size; attribute float a_shape; attribute float a_angle;
          uniform mat3 u_matrix; uniform float u_sizeRatio; uniform float u_correctionRatio;
          varying vec4 v_color; varying vec2 v_place; varying float v_pixel; varying float v_shape;
          void main() {
            float radius = a_size * u_correctionRatio / u_sizeRatio * 2.0;
            vec2 away = (3.0 * radius + 6.0 * u_correctionRatio) * vec2(cos(a_angle), sin(a_angle));
            gl_Position = vec4((u_matrix * vec3(a_position + away, 1)).xy, 0, 1);
            v_place = away / radius;
            v_pixel = 2.0 * u_correctionRatio / radius;
            v_shape = a_shape;
            v_color = a_color;
            v_color.a *= 255.0 / 254.0;
          }`,
        FRAGMENT_SHADER_SOURCE: `
          precision highp float;
          varying vec4 v_color; varying vec2 v_place; varying float v_pixel; varying float v_shape;
          uniform vec4 u_outline; uniform vec4 u_chosen;
          void main() {
            float chosen = step(4.0, v_shape);
            float shape = v_shape - 4.0 * chosen;
            vec2 p = abs(v_place);
            float far = length(v_place) - 1.0;
            if (shape > 2.5) far = max(0.866 * p.x + 0.5 * v_place.y, -v_place.y) - 0.68;
            else if (shape > 1.5) far = 0.7071 * (p.x + p.y) - 0.88;
            else if (shape > 0.5) far = max(p.x, p.y) - 0.88;
            float seen = clamp(0.5 - far / v_pixel, 0.0, 1.0);
            float rim = clamp(0.5 + far / v_pixel + 1.2 + 1.6 * chosen, 0.0, 1.0) * step(v_pixel, 0.28);
            gl_FragColor = mix(v_color, mix(u_outline, u_chosen, chosen) * v_color.a, rim) * seen;
          }`,
        UNIFORMS: ["u_matrix", "u_sizeRatio", "u_correctionRatio", "u_outline", "u_chosen"],
        ATTRIBUTES: [
          { name: "a_position", size: 2, type: FLOAT }, { name: "a_size", size: 1, type: FLOAT },
          { name: "a_shape", size: 1, type: FLOAT }, { name: "a_color", size: 4, type: BYTE, normalized: true },
        ],
        CONSTANT_ATTRIBUTES: [{ name: "a_angle", size: 1, type: FLOAT }],
        CONSTANT_DATA: [[Math.PI / 2], [(7 * Math.PI) / 6], [(11 * Math.PI) / 6]],
      };
    }

    processVisibleItem(index, start, data) {
      this.array.set([data.x, data.y, data.size, data.shape, sigmaBundle.floatColor(data.color)], start);
    }

    setUniforms({ matrix, sizeRatio, correctionRatio }, { gl, uniformLocations: at }) {
      const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
      gl.uniformMatrix3fv(at.u_matrix, false, matrix);
      gl.uniform1f(at.u_sizeRatio, sizeRatio);
      gl.uniform1f(at.u_correctionRatio, correctionRatio);
      gl.uniform4f(at.u_outline, ...rgb(outline("--page")), 1);
      gl.uniform4f(at.u_chosen, ...rgb(outline("--ink")), 1);
    }
  };
}

// Lines with an arrow's head, straight or bent, of `pieces` straight pieces each.
function arrowProgram(pieces) {
  const FLOAT = WebGLRenderingContext.FLOAT;
  // a corner is (place along the body or, in the head, from its base to its tip; side; in the head?)
  const body = Array.from({ length: pieces }, (_, i) => [[0, -1], [1, -1], [0, 1], [0, 1], [1, -1], [1, 1]]
    .map(([end, side]) => [(i + end) / pieces, side, 0])).flat();
  const head = [[0, -1, 1], [1, 0, 1], [0, 1, 1]];
  return class extends sigmaBundle.EdgeProgram {
    getDefinition() {
      return {
        VERTICES: body.length + head.length,
        METHOD: WebGLRenderingContext.TRIANGLES,
        VERTEX_SHADER_SOURCE: `
          attribute vec2 a_from; attribute vec2 a_to; attribute float a_size; attribute float a_radius; attribute float a_bend;
          attribute vec4 a_color; attribute vec3 a_corner;
          uniform mat3 u_matrix; uniform float u_sizeRatio; uniform float u_pixel; uniform float u_least;
          varying vec4 v_color; varying float v_across; varying float v_half;
          vec2 place(float t) {
            vec2 way = a_to - a_from;
            return a_from + t * way + 2.0 * t * (1.0 - t) * a_bend * vec2(-way.y, way.x);
          }
          void main() {
            float length = max(distance(a_from, a_to), 1e-9);
            float thick = max(a_size, u_least * u_sizeRatio) / u_sizeRatio * u_pixel;
            float radius = a_radius / u_sizeRatio * u_pixel;
            float head = 2.2 * thick + 2.0 * u_pixel;
            float tip = 1.0 - min(radius / length, 0.5);
            float base = max(tip - head / length, 0.0);
            float t = mix(a_corner.x * base, mix(base, tip, a_corner.x), a_corner.z);
            vec2 here = place(t);
            vec2 along = a_corner.z > 0.5 ? place(tip) - place(base) : place(t + 0.01) - place(t - 0.01);
            vec2 normal = vec2(-along.y, along.x) / max(sqrt(dot(along, along)), 1e-9);
            float reach = a_corner.z > 0.5 ? 0.55 * head : 0.5 * thick + u_pixel;
            gl_Position = vec4((u_matrix * vec3(here + a_corner.y * reach * normal, 1)).xy, 0, 1);
            v_across = a_corner.z > 0.5 ? 0.0 : a_corner.y * reach / u_pixel;
            v_half = 0.5 * thick / u_pixel;
            v_color = a_color;
            v_color.a *= 255.0 / 254.0;
          }`,
        FRAGMENT_SHADER_SOURCE: `
          precision mediump float;
          varying vec4 v_color; varying float v_across; varying float v_half;
          void main() { gl_FragColor = v_color * clamp(v_half + 0.5 - abs(v_across), 0.0, 1.0); }`,
        UNIFORMS: ["u_matrix", "u_sizeRatio", "u_pixel", "u_least"],
        ATTRIBUTES: [
          { name: "a_from", size: 2, type: FLOAT }, { name: "a_to", size: 2, type: FLOAT }, { name: "a_size", size: 1, type: FLOAT },
          { name: "a_radius", size: 1, type: FLOAT }, { name: "a_bend", size: 1, type: FLOAT },
          { name: "a_color", size: 4, type: WebGLRenderingContext.UNSIGNED_BYTE, normalized: true },
        ],
        CONSTANT_ATTRIBUTES: [{ name: "a_corner", size: 3, type: FLOAT }],
        CONSTANT_DATA: [...body, ...head],
      };
    }

    processVisibleItem(index, start, from, to, data) {
      this.array.set([from.x, from.y, to.x, to.y, data.size, to.size, data.bend, sigmaBundle.floatColor(data.color)], start);
    }

    setUniforms({ matrix, sizeRatio, correctionRatio, minEdgeThickness }, { gl, uniformLocations: at }) {
      gl.uniformMatrix3fv(at.u_matrix, false, matrix);
      gl.uniform1f(at.u_sizeRatio, sizeRatio);
      gl.uniform1f(at.u_pixel, 2 * correctionRatio);
      gl.uniform1f(at.u_least, minEdgeThickness);
    }
  };
}

// Lines of one pixel: where there are thousands, this is all that can be seen of them.
function lineProgram() {
  return class extends sigmaBundle.EdgeProgram {
    getDefinition() {
      return {
        VERTICES: 2,
        METHOD: WebGLRenderingContext.LINES,
        VERTEX_SHADER_SOURCE: `
          attribute vec2 a_place; attribute vec4 a_color; uniform mat3 u_matrix; varying vec4 v_color;
          void main() {
            gl_Position = vec4((u_matrix * vec3(a_place, 1)).xy, 0, 1);
            v_color = a_color;
            v_color.a *= 255.0 / 254.0;
          }`,
        FRAGMENT_SHADER_SOURCE: "precision mediump float; varying vec4 v_color; void main() { gl_FragColor = v_color; }",
        UNIFORMS: ["u_matrix"],
        ATTRIBUTES: [
          { name: "a_place", size: 2, type: WebGLRenderingContext.FLOAT },
          { name: "a_color", size: 4, type: WebGLRenderingContext.UNSIGNED_BYTE, normalized: true },
        ],
      };
    }

    processVisibleItem(index, start, from, to, data) {
      const colour = sigmaBundle.floatColor(data.color);
      this.array.set([from.x, from.y, colour, to.x, to.y, colour], start);
    }

    setUniforms({ matrix }, { gl, uniformLocations: at }) {
      gl.uniformMatrix3fv(at.u_matrix, false, matrix);
    }
  };
}

// A program that is compiled when there is first something to draw with it, and that draws nothing
// while `waiting()`: sigma draws as soon as it is made, before it can be told what is in sight.
const whenNeeded = (Program, waiting) => class {
  constructor(...context) {
    this.make = () => new Program(...context);
    this.own = null;
  }

  reallocate(capacity) {
    if (capacity > 0) this.own ??= this.make();
    this.own?.reallocate(capacity);
  }

  process(...item) { this.own.process(...item); }

  render(view) { if (!waiting()) this.own?.render(view); }

  kill() { this.own?.kill(); }
};

// Nodes and edges are found by arithmetic here, and no node is drawn again on a layer of its own: so
// sigma needs neither its pictures of ids, which it would read back with every move of the pointer,
// nor a third WebGL context. Each of these costs a good part of the time to the first frame.
class Plane extends sigmaBundle.Sigma {
  createWebGLContext(layer, options) {
    if (layer !== "hoverNodes") return super.createWebGLContext(layer, { ...options, picking: false });
    this.createCanvas(layer);
    return (this.webGLContexts[layer] = { COLOR_BUFFER_BIT: 0, clear() {}, viewport() {} });
  }

  getNodeAtPosition() { return null; }
}
