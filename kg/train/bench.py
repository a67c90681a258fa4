"""How fast the shipped graphs read, beside the same network in fp32 torch: one run, same texts.

`python -m kg.train.bench TEXTS.jsonl` prints the ratios (extra `train`).
"""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import torch

from kg.evaluate import list_records
from kg.extract.layout import words_of
from kg.extract.model import SHIPPED, OnnxModel
from kg.extract.pieces import encode
from kg.train.encoder import DEPTH, INNER, WIDTH, package_folder, tokenizer_of
from kg.train.folder import load_folder
from kg.train.network import Network


@dataclass(frozen=True, slots=True)
class Speed:
    """Abstracts a second of both, the encoder's and one large product's rate in GFLOP/s."""

    torch: float
    onnx: float
    rate: float
    product: float


def measure(texts: list[str], folder: Path, *, threads: int) -> Speed:
    """Encode `texts` and score their spans by torch and by the graphs in `folder`."""
    tokenizer = tokenizer_of(package_folder())
    torch.set_num_threads(threads)
    network = Network()
    load_folder(network, folder)
    network.eval()
    pieces = encode(texts, tokenizer)
    rows = [(p, words_of(p)) for p in pieces if len(p.ids) <= 512]

    def by_torch() -> None:
        with torch.inference_mode():
            for p, w in rows:
                arrays = (torch.from_numpy(a)[None] for a in (p.ids, p.case, p.shape, p.glue))
                states = network.encoder(*arrays)
                ends = (torch.from_numpy(a)[None] for a in (w.first, w.last))
                network.spans(states, *ends)

    model = OnnxModel(folder)
    short = [t for t, p in zip(texts, pieces, strict=True) if len(p.ids) <= 512]

    def by_onnx() -> None:
        with ThreadPoolExecutor(threads) as pool:
            for _ in pool.map(model.encode, short):
                pass

    slow, fast = _best(by_torch), _best(by_onnx)
    flops = sum(_flops(len(p.ids)) for p, _ in rows)
    a = torch.randn(2048, 2048)
    product = 2 * 2048**3 / _best(lambda: a @ a) / 1e9
    return Speed(len(rows) / slow, len(rows) / fast, flops / fast / 1e9, product)


def _best(run: object, *, times: int = 3) -> float:
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        run()  # type: ignore[operator]
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def _flops(pieces: int) -> float:
    """Multiplications and additions of the encoder's products over one text."""
    dense = 2.0 * pieces * (4 * WIDTH * WIDTH + 2 * WIDTH * INNER)
    return DEPTH * (dense + 4.0 * pieces * pieces * WIDTH)


def main(path: str) -> None:
    """Print the ratios over the abstracts of a JSONL file, 128 at the most."""
    texts = [str(r["abstract"]) for r in list_records(Path(path), annotated=False)[:128]]
    s = measure(texts, SHIPPED, threads=2)
    out = {
        "abstracts_per_second_torch_fp32": round(s.torch, 2),
        "abstracts_per_second_shipped": round(s.onnx, 2),
        "ratio": round(s.onnx / s.torch, 2),
        "encoder_gflops": round(s.rate, 1),
        "product_gflops": round(s.product, 1),
        "share_of_product_rate": round(s.rate / s.product, 2),
    }
    sys.stdout.write(json.dumps(out, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
