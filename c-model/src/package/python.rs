// SPDX-License-Identifier: MIT OR Apache-2.0
//! `NAME.py`: the model as a Python module, by means of `ctypes`.

use super::{Port, Ports, fill};
use rtl_model::netlist::interfaces::{Direction, Interface};

/// The part of the text that does not depend on a circuit.
pub const TEXT: &str = include_str!("model.py");

/// Reserved words of Python that are allowed in Verilog and C.
pub const RESERVED: [&str; 19] = [
    "False", "None", "True", "async", "await", "def", "del", "elif", "except", "from", "global", "in", "is", "lambda",
    "nonlocal", "pass", "raise", "yield", "as",
];

/// Modules of Python 3.9 to 3.14. A file of such a name would be imported in their place by all that runs beside it.
const MODULES: &str = "\
abc aifc annotationlib argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect \
builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall \
compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses \
datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl \
filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp \
gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json \
keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib \
msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev \
pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty \
pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter \
runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver \
spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau \
symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter \
token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest \
urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile \
zipimport zlib zoneinfo";

/// Whether a module of Python's library has this name.
pub fn is_module(name: &str) -> bool {
    MODULES.split(' ').any(|module| module == name)
}

/// Makes the module. `interfaces` are those of the bench, in its order.
pub fn module(name: &str, ports: &Ports, interfaces: &[Interface]) -> String {
    let list = |ports: &[Port]| ports.iter().map(|port| format!("    \"{}\": {},\n", port.name, port.width)).collect();
    let (inputs, outputs): (String, String) = (list(&ports.inputs), list(&ports.outputs));
    let interfaces: String = interfaces.iter().map(of_interface).collect();
    fill(TEXT, &[("name", name), ("inputs", &inputs), ("outputs", &outputs), ("interfaces", &interfaces)])
}

fn of_interface(interface: &Interface) -> String {
    let into = if interface.direction == Direction::In { "True" } else { "False" };
    let fields: Vec<_> = interface.fields.iter().map(|field| format!("\"{}\": {}", field.name, field.width)).collect();
    format!("    \"{}\": ({into}, {{{}}}),\n", interface.name, fields.join(", "))
}
