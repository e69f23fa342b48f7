"""The model of @name@: bit by bit and clock by clock what the Verilog does.

    from @name@ import Model

    model = Model()
    model.clock(reset=True)
    model.clock(PORT=1)
    print(model.read().PORT)

Ports are whole numbers of any width. The C beside this file is compiled when it is first needed, by `cc` or $CC.
"""

import ctypes
import functools
import operator
import os
import pathlib
import shlex
import subprocess
import tempfile

# Bits of each port.
INPUTS = {
@inputs@}
OUTPUTS = {
@outputs@}


def build():
    """The shared library beside this file, compiled if it is not there or older than the C."""
    here = pathlib.Path(__file__).resolve().parent
    library, sources = here / "lib@name@.so", [here / "@name@.c", here / "@name@.h"]
    if not library.exists() or library.stat().st_mtime < max(source.stat().st_mtime for source in sources):
        with tempfile.TemporaryDirectory(dir=here) as work:
            made = os.path.join(work, "model.so")
            compiler = shlex.split(os.environ.get("CC") or "cc")
            subprocess.run([*compiler, "-O2", "-shared", "-fPIC", "-o", made, str(sources[0])], check=True)
            os.replace(made, library)
    return library


@functools.cache
def _load(path):
    library = ctypes.CDLL(path)
    library.@name@_size.restype = ctypes.c_size_t
    for function in (library.@name@_init, library.@name@_clock, library.@name@_read):
        function.restype = None
    return library


def _places(ports):
    """Name: first limb in the struct, limbs, bits; and the limbs of all."""
    places, at = {}, 0
    for name, width in ports.items():
        limbs = -(-width // 64)
        places[name] = at, limbs, width
        at += limbs
    return places, at


_IN, _IN_LIMBS = _places(INPUTS)
_OUT, _OUT_LIMBS = _places(OUTPUTS)
_LIMB = (1 << 64) - 1


class Outputs:
    """All outputs at one moment; each is decoded when it is asked for, by its name."""

    __slots__ = ("_limbs",)

    def __init__(self, limbs):
        self._limbs = limbs

    def __getattr__(self, name):
        if name not in _OUT:
            raise AttributeError(f"@name@ has no output {name}")
        at, count, _ = _OUT[name]
        if count == 1:
            return self._limbs[at]
        return sum(self._limbs[at + i] << 64 * i for i in range(count))

    def __eq__(self, other):
        return isinstance(other, Outputs) and bytes(self._limbs) == bytes(other._limbs)

    def __dir__(self):
        return list(_OUT)

    def __repr__(self):
        return f"Outputs({', '.join(f'{name}={getattr(self, name)}' for name in _OUT)})"


class Model:
    """One instance, at power-up. `library` is a shared library of @name@.c, in place of the one beside this file."""

    def __init__(self, library=None):
        self._library = _load(str(library or build()))
        self._state = (ctypes.c_uint64 * -(-self._library.@name@_size() // 8))()
        self._library.@name@_init(self._state)

    def clock(self, reset=False, **inputs):
        """One rising edge. An input that is not given is 0."""
        limbs = (ctypes.c_uint64 * max(_IN_LIMBS, 1))()
        for name, value in inputs.items():
            if name not in _IN:
                raise TypeError(f"@name@ has no input {name}")
            at, count, width = _IN[name]
            value = operator.index(value)
            if value >> width:
                raise ValueError(f"{name} has {width} bits: {value} is no such number")
            for i in range(count):
                limbs[at + i] = value >> 64 * i & _LIMB
        self._library.@name@_clock(self._state, int(bool(reset)), limbs)

    def read(self):
        """What the outputs are now, by name. They depend on the clocks before alone."""
        limbs = (ctypes.c_uint64 * max(_OUT_LIMBS, 1))()
        self._library.@name@_read(self._state, limbs)
        return Outputs(limbs)

    def copy(self):
        """Another instance that stands where this one stands."""
        other = object.__new__(type(self))
        other._library = self._library
        other._state = type(self._state).from_buffer_copy(self._state)
        return other
