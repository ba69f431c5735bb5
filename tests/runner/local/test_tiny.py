from __future__ import annotations

import struct

from runner.local.tiny import write_tiny


def test_the_same_seed_writes_the_same_model(tmp_path):
    one, two, other = (write_tiny(tmp_path / name, seed) for name, seed in (("a", 1), ("b", 1), ("c", 2)))
    assert one.read_bytes() == two.read_bytes() != other.read_bytes()


def test_the_file_is_gguf_with_its_tensors_aligned(tmp_path):
    data = write_tiny(tmp_path / "tiny.gguf").read_bytes()
    magic, version, tensors, _ = struct.unpack_from("<4sIQQ", data)
    assert (magic, version, tensors) == (b"GGUF", 3, 3 + 2 * 9)
    assert len(data) % 32 == 0
    assert len(data) < 1 << 20
