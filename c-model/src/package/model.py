"""The model of @name@: bit by bit and clock by clock what the Verilog does.

    from @name@ import Model

    model = Model()
    model.clock(reset=True)
    model.clock(PORT=1)
    print(model.read().PORT)

Ports are whole numbers of any width. `Bench` is the model with a queue at each interface: it runs many clocks at once. The C
beside this file is compiled when it is first needed, by `cc` or $CC.
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
# Interfaces with a handshake: whether they go into the model, and bits of each field.
INTERFACES = {
@interfaces@}


def build():
    """The shared library beside this file, compiled if it is not there or older than the C."""
    here = pathlib.Path(__file__).resolve().parent
    library, sources = here / "lib@name@.so", sorted(here.glob("@name@.c")) + sorted(here.glob("@name@_bench.c"))
    headers = [source.with_suffix(".h") for source in sources]
    if not library.exists() or library.stat().st_mtime < max(file.stat().st_mtime for file in sources + headers):
        with tempfile.TemporaryDirectory(dir=here) as work:
            made = os.path.join(work, "model.so")
            compiler = shlex.split(os.environ.get("CC") or "cc")
            subprocess.run([*compiler, "-O2", "-shared", "-fPIC", "-o", made, *map(str, sources)], check=True)
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
_FIELDS = {name: _places(fields) for name, (_, fields) in INTERFACES.items()}
_LIMB = (1 << 64) - 1


def _encode(limbs, places, values, what):
    for name, value in values.items():
        if name not in places:
            raise TypeError(f"{what} {name}")
        at, count, width = places[name]
        value = operator.index(value)
        if value >> width:
            raise ValueError(f"{name} has {width} bits: {value} is no such number")
        for i in range(count):
            limbs[at + i] = value >> 64 * i & _LIMB


class _Fields:
    """Numbers by name; each is decoded when it is asked for."""

    _what = "field"
    __slots__ = ("_limbs", "_places")

    def __init__(self, limbs, places):
        self._limbs, self._places = limbs, places

    def __getattr__(self, name):
        if name not in self._places:
            raise AttributeError(f"@name@ has no {self._what} {name}")
        at, count, _ = self._places[name]
        if count == 1:
            return self._limbs[at]
        return sum(self._limbs[at + i] << 64 * i for i in range(count))

    def __eq__(self, other):
        return type(self) is type(other) and bytes(self._limbs) == bytes(other._limbs)

    def __dir__(self):
        return list(self._places)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)}' for name in self._places)})"


class Outputs(_Fields):
    """All outputs at one moment."""

    _what = "output"
    __slots__ = ()


class Transfer(_Fields):
    """What an interface has transferred, and in which clock: `at`."""

    __slots__ = ("at",)

    def __init__(self, limbs, places, at):
        super().__init__(limbs, places)
        self.at = at


class Model:
    """One instance, at power-up. `library` is a shared library of @name@.c, in place of the one beside this file."""

    def __init__(self, library=None):
        self._library = _load(str(library or build()))
        self._state = (ctypes.c_uint64 * -(-self._library.@name@_size() // 8))()
        self._library.@name@_init(self._state)

    def clock(self, reset=False, **inputs):
        """One rising edge. An input that is not given is 0."""
        limbs = (ctypes.c_uint64 * max(_IN_LIMBS, 1))()
        _encode(limbs, _IN, inputs, "@name@ has no input")
        self._library.@name@_clock(self._state, int(bool(reset)), limbs)

    def read(self):
        """What the outputs are now, by name. They depend on the clocks before alone."""
        limbs = (ctypes.c_uint64 * max(_OUT_LIMBS, 1))()
        self._library.@name@_read(self._state, limbs)
        return Outputs(limbs, _OUT)

    def copy(self):
        """Another instance that stands where this one stands."""
        other = object.__new__(type(self))
        other._library = self._library
        other._state = type(self._state).from_buffer_copy(self._state)
        return other


@functools.cache
def _load_bench(path):
    library, size, bench = ctypes.CDLL(path), ctypes.c_size_t, ctypes.c_void_p
    limbs, clock = ctypes.POINTER(ctypes.c_uint64), ctypes.c_uint64
    for name, result, arguments in (
        ("new", bench, []),
        ("free", None, [bench]),
        ("now", clock, [bench]),
        ("inputs", limbs, [bench]),
        ("read", None, [bench, limbs]),
        ("run", ctypes.c_int, [bench, clock]),
        ("pause", None, [bench, size, ctypes.c_int]),
        ("put", ctypes.c_int, [bench, size, clock, limbs]),
        ("put_frame", ctypes.c_int, [bench, size, clock, limbs, ctypes.c_char_p, size]),
        ("waiting", size, [bench, size]),
        ("frames", size, [bench, size]),
        ("take", ctypes.c_int, [bench, size, limbs, limbs]),
        ("take_frame", size, [bench, size, limbs, limbs, ctypes.c_char_p, size]),
    ):
        function = getattr(library, f"@name@_bench_{name}")
        function.restype, function.argtypes = result, arguments
    return library


class Bench:
    """The model after a reset, with a queue at each interface that has a handshake.

    Transfers into it wait in their queue until they are taken. Those out of it are taken at once, and wait in theirs. Nothing
    happens but in `run`."""

    _INDEX = {name: i for i, name in enumerate(INTERFACES)}
    _LARGEST = 1 << 16

    def __init__(self, library=None):
        self._library = _load_bench(str(library or build()))
        self._bench = self._function("new")()
        if not self._bench:
            raise MemoryError
        self._frame = ctypes.create_string_buffer(self._LARGEST)

    def __del__(self):
        if getattr(self, "_bench", None):
            self._function("free")(self._bench)

    def _function(self, name):
        return getattr(self._library, f"@name@_bench_{name}")

    def _call(self, name, interface, *arguments):
        return self._function(name)(self._bench, self._INDEX[interface], *arguments)

    def _transfer(self, interface, fields):
        places, count = _FIELDS[interface]
        limbs = (ctypes.c_uint64 * max(count, 1))()
        _encode(limbs, places, fields, f"{interface} has no field")
        return limbs

    def _check(self, interface, into=None, stream=False):
        if interface not in INTERFACES:
            raise TypeError(f"@name@ has no interface {interface} with a handshake")
        goes_in, fields = INTERFACES[interface]
        if into not in (None, goes_in):
            raise TypeError(f"{interface} goes {'into' if goes_in else 'out of'} @name@")
        if stream and not {"tdata", "tkeep", "tlast"} <= set(fields):
            raise TypeError(f"{interface} has no frames")

    @property
    def now(self):
        """The number of clocks since the reset."""
        return self._function("now")(self._bench)

    def set(self, **inputs):
        """Inputs without a handshake: they hold from now on."""
        _encode(self._function("inputs")(self._bench), _IN, inputs, "@name@ has no input")

    def read(self):
        """What the outputs are now, by name."""
        limbs = (ctypes.c_uint64 * max(_OUT_LIMBS, 1))()
        self._function("read")(self._bench, limbs)
        return Outputs(limbs, _OUT)

    def run(self, clocks):
        """So many clocks."""
        if not self._function("run")(self._bench, clocks):
            raise MemoryError

    def pause(self, interface, paused=True):
        """No further transfer is offered; of an interface out of the model `ready` is 0."""
        self._check(interface)
        self._call("pause", interface, int(bool(paused)))

    def put(self, interface, at=0, **fields):
        """Appends a transfer, which is not offered before the clock `at`. A field that is not given is 0."""
        self._check(interface, True)
        if not self._call("put", interface, at, self._transfer(interface, fields)):
            raise MemoryError

    def put_frame(self, stream, frame, at=0, **fields):
        """Appends the beats of a frame, the first not before the clock `at`."""
        self._check(stream, True, stream=True)
        if not self._call("put_frame", stream, at, self._transfer(stream, fields), bytes(frame), len(frame)):
            raise MemoryError

    def waiting(self, interface):
        """The number of transfers in the queue."""
        self._check(interface)
        return self._call("waiting", interface)

    def take(self, interface):
        """Removes the first transfer; `None` if there is none."""
        self._check(interface, False)
        at, limbs = ctypes.c_uint64(), self._transfer(interface, {})
        if self._call("take", interface, ctypes.byref(at), limbs):
            return Transfer(limbs, _FIELDS[interface][0], at.value)
        return None

    def take_frame(self, stream):
        """Removes the first whole frame: its bytes and its last beat; `None` if there is none."""
        self._check(stream, False, stream=True)
        at, limbs = ctypes.c_uint64(), self._transfer(stream, {})
        length = self._call("take_frame", stream, ctypes.byref(at), limbs, self._frame, self._LARGEST)
        if length > self._LARGEST:
            raise ValueError(f"a frame has {length} bytes")
        return (ctypes.string_at(self._frame, length), Transfer(limbs, _FIELDS[stream][0], at.value)) if length else None

    def take_all(self, interface):
        """Removes all transfers, one after the other."""
        return iter(functools.partial(self.take, interface), None)

    def take_frames(self, stream):
        """Removes all whole frames, one after the other."""
        return iter(functools.partial(self.take_frame, stream), None)
