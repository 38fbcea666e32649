# SPDX-License-Identifier: Apache-2.0
"""Rust declarations as bindgen writes them, in C again, so that the C compiler compares them with the headers."""

from __future__ import annotations

import re
from collections.abc import Iterator

TYPES = {"u8": "uint8_t", "u32": "uint32_t", "u64": "uint64_t", "usize": "size_t", "bool": "bool",
         "::std::os::raw::c_char": "char", "::std::os::raw::c_int": "int", "::std::os::raw::c_uint": "unsigned int",
         "::std::os::raw::c_void": "void"}
_FUNCTION = re.compile(r"pub fn (\w+)\(([^)]*)\)(?:\s*-> ([^;]+))?;")
_STATIC = re.compile(r"pub static (\w+): (\w+);")
_CONSTANT = re.compile(r"pub const (\w+): \w+ = (\d+);")
_STRUCT = re.compile(r"pub struct (\w+) \{\n(.*?)\n\}", re.DOTALL)
_SIZE = re.compile(r'\["(Size|Alignment) of (\w+)"\]\s*\[[^\[\]]*- (\d+)usize\]')
_OFFSET = re.compile(r'\["Offset of field: (\w+)::(\w+)"\]\s*\[[^\[\]]*- (\d+)usize\]')


def c_type(rust: str) -> str:
    """The C type of a Rust type; `KeyError` for one that no header needs."""
    rust = rust.strip()
    if rust.startswith("*const "):
        return f"{c_type(rust.removeprefix('*const '))} const *"
    if rust.startswith("*mut "):
        return f"{c_type(rust.removeprefix('*mut '))} *"
    if array := re.fullmatch(r"\[(.+); (\d+)usize\]", rust):
        return f"__typeof__({c_type(array[1])}[{array[2]}])"
    return rust if rust.startswith("pm_") else TYPES[rust]


def declared(text: str) -> set[str]:
    """Functions and objects."""
    return {*(found[1] for found in _FUNCTION.finditer(text)), *(found[1] for found in _STATIC.finditer(text))}


def prototypes(text: str) -> Iterator[str]:
    """A declaration of each function; the compiler rejects another type than that of the header."""
    for name, arguments, result in _FUNCTION.findall(text):
        types = [c_type(argument.partition(":")[2]) for argument in arguments.split(",") if argument.strip()]
        yield f"{c_type(result) if result else 'void'} {name}({', '.join(types) or 'void'});"


def assertions(text: str) -> Iterator[str]:
    """Constants; sizes, alignments, offsets and types of structures."""
    for name, value in _CONSTANT.findall(text):
        yield f'_Static_assert({name} == {value}, "{name}");'
    for what, name, value in _SIZE.findall(text):
        yield f'_Static_assert({"sizeof" if what == "Size" else "_Alignof"}({name}) == {value}, "{what} of {name}");'
    for name, field, value in _OFFSET.findall(text):
        yield f'_Static_assert(offsetof({name}, {field}) == {value}, "{name}.{field}");'
    for name, body in _STRUCT.findall(text):
        for field, rust in re.findall(r"^    pub (\w+): ([^(]+?),$", body, re.MULTILINE):
            if "Option" not in rust:
                found, wanted = f"__typeof__((({name} *)0)->{field})", c_type(rust)  # Rust has no volatile
                same = " || ".join(f"__builtin_types_compatible_p({found}, {wish})"
                                   for wish in (wanted, f"volatile {wanted}"))
                yield f'_Static_assert({same}, "type of {name}.{field}");'
