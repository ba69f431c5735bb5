"""Writes a language model of the right shape with random weights: half a megabyte, no download, no sense.

The real server with its real grammar runs on it, so transport, streaming, truncation and odd white space can be tried
in a fraction of a second. The file is GGUF version 3 (github.com/ggml-org/ggml, docs/gguf.md), architecture llama.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_WIDTH = 64
_LAYERS = 2
_HEADS = 4
_INNER = 128
_ALIGNMENT = 32

_SPECIAL = ("<unk>", "<|im_start|>", "<|im_end|>")
_TOKENS = (*_SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256)))
_END = 2
# Kinds of token: 2 unknown, 3 control, 6 byte.
_KINDS = (2, 3, 3, *[6] * 256)


class _Tensor(NamedTuple):
    name: str
    shape: tuple[int, ...]
    """The fastest dimension first."""
    spread: float
    """Of the normal distribution; 0 for all ones."""


def write_tiny(path: Path, seed: int = 0) -> Path:
    """Write the model and return its path. The same seed writes the same bytes."""
    chance = random.Random(seed)  # noqa: S311  # weights, not secrets
    header, data = b"", b""
    tensors = list(_tensors())
    for tensor in tensors:
        header += _text(tensor.name) + struct.pack("<I", len(tensor.shape))
        header += struct.pack(f"<{len(tensor.shape)}Q", *tensor.shape) + struct.pack("<IQ", 0, len(data))
        data += _padded(_floats(_weights(tensor, chance)))
    facts = list(_facts())
    start = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(facts)) + b"".join(facts) + header
    path.write_bytes(_padded(start) + data)
    return path


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % _ALIGNMENT)


def _text(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _floats(values: Sequence[float]) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


def _facts() -> Iterator[bytes]:
    """The key-value pairs of the header."""
    numbers = {
        "llama.context_length": 8192,
        "llama.embedding_length": _WIDTH,
        "llama.block_count": _LAYERS,
        "llama.feed_forward_length": _INNER,
        "llama.attention.head_count": _HEADS,
        "llama.attention.head_count_kv": _HEADS,
        "llama.rope.dimension_count": _WIDTH // _HEADS,
        "llama.vocab_size": len(_TOKENS),
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": _END,
        "tokenizer.ggml.unknown_token_id": 0,
    }
    words = {"general.architecture": "llama", "general.name": "random-tiny", "tokenizer.ggml.model": "llama"}
    yield from (_fact(key, 8, _text(word)) for key, word in words.items())
    yield from (_fact(key, 4, struct.pack("<I", number)) for key, number in numbers.items())
    yield _fact("llama.attention.layer_norm_rms_epsilon", 6, struct.pack("<f", 1e-5))
    for key in ("tokenizer.ggml.add_bos_token", "tokenizer.ggml.add_space_prefix"):
        yield _fact(key, 7, b"\0")
    yield _list("tokenizer.ggml.tokens", 8, [_text(token) for token in _TOKENS])
    yield _list("tokenizer.ggml.scores", 6, [struct.pack("<f", 0.0)] * len(_TOKENS))
    yield _list("tokenizer.ggml.token_type", 5, [struct.pack("<i", kind) for kind in _KINDS])


def _fact(key: str, kind: int, value: bytes) -> bytes:
    return _text(key) + struct.pack("<I", kind) + value


def _list(key: str, kind: int, items: Sequence[bytes]) -> bytes:
    return _fact(key, 9, struct.pack("<IQ", kind, len(items)) + b"".join(items))


def _tensors() -> Iterator[_Tensor]:
    square = (_WIDTH, _WIDTH)
    yield _Tensor("token_embd.weight", (_WIDTH, len(_TOKENS)), 0.5)
    yield _Tensor("output.weight", (_WIDTH, len(_TOKENS)), 0.25)
    yield _Tensor("output_norm.weight", (_WIDTH,), 0)
    for layer in range(_LAYERS):
        names = {
            "attn_norm": ((_WIDTH,), 0.0),
            "ffn_norm": ((_WIDTH,), 0.0),
            **{f"attn_{part}": (square, 0.1) for part in ("q", "k", "v", "output")},
            "ffn_gate": ((_WIDTH, _INNER), 0.1),
            "ffn_up": ((_WIDTH, _INNER), 0.1),
            "ffn_down": ((_INNER, _WIDTH), 0.1),
        }
        yield from (_Tensor(f"blk.{layer}.{name}.weight", shape, spread) for name, (shape, spread) in names.items())


def _weights(tensor: _Tensor, chance: random.Random) -> list[float]:
    count = tensor.shape[0] * (tensor.shape[1] if len(tensor.shape) > 1 else 1)
    values = [chance.gauss(0.0, tensor.spread) if tensor.spread else 1.0 for _ in range(count)]
    # Unit 0 of every embedding is held at one value, so that column 0 of the output is a bias for each token.
    if tensor.name in {"token_embd.weight", "output.weight"}:
        for token in range(len(_TOKENS)):
            values[token * _WIDTH] = 4.0 if tensor.name == "token_embd.weight" else _bias(token)
    return values


def _bias(token: int) -> float:
    """Closing quotes are likely, blanks and bytes that break UTF-8 are rare: otherwise no string ever ends."""
    byte = token - len(_SPECIAL)
    if byte == ord('"'):
        return 0.45
    if byte in (0x20, 0x0A, 0x09):
        return -0.5
    return 0.0 if token == _END or 0x21 <= byte <= 0x7E else -2.0
