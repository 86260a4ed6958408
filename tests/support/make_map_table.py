#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write a C table of every public map on plain arrays, read from the headers themselves.

    make_map_table.py OUTPUT.c HEADER.h...

Each function declared LIE_API becomes a wrapper with one flat array of inputs and one of outputs (map_table.h), so that a
test can try every function with every argument without a list that someone has to keep. What is no map is seen from its
parameters: a function that takes or gives an object (lie_ops, a stepper, a system), a callback or a text is none; nor is
one on arrays whose length the declaration does not tell. In a header that has maps every function must be a map or take an
object: what is neither is an error, so that none is forgotten.
"""
import re
import sys

RN_DIM = 5  # dimension at which the functions of rn.h are tried
# How the parameters of a function begin that tell the length n of its arrays, and what they are tried with.
LENGTHS = {("int n",): (RN_DIM, [str(RN_DIM)]), ("const lie_ops *G", "int q"): (6, ["&lie_se3_exp_ops", "7"])}
ELEMENTS = {"R": "ROTATION", "A": "ROTATION", "B": "ROTATION"}


def declarations(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    for match in re.finditer(r"LIE_API\s+(void|lie_status|double)\s+(\w+)\s*\(([^)]*)\)\s*;", text):
        yield match.group(1), match.group(2), [" ".join(p.split()) for p in match.group(3).split(",")]


def length_of(name, params, header):
    """(n, first arguments) of a function on arrays of a length that it is told; (0, []) if it is told none."""
    for first, (n, arguments) in LENGTHS.items():
        if tuple(params[:len(first)]) == first and name.startswith(f"lie_{header.removesuffix('.h')}_"):
            return n, arguments
    return 0, []


def array_size(param, n):
    """Doubles of an array: as declared; n, or n x n of a matrix M; a number to be written; 0 if nothing tells."""
    match = re.search(r"\[(\d+)\]$", param)
    if match:
        return int(match.group(1))
    if n:
        return n * n if param.endswith("*M") else n
    return 0 if param.startswith("const ") else 1


def takes_object(params):
    """Is there a parameter of a type that is not made of numbers?"""
    return any(not re.match(r"(const )?(double|int|lie_ccsds_\w+)\b", param) for param in params)


def kind_of(function, param, size, header):
    """What a valid value of this input is: an element of a group or just numbers."""
    name = re.search(r"(\w+)(\[\d+\])?$", param).group(1)
    if size == 9 and (name in ELEMENTS or function.endswith("_project")):
        return "MAP_ROTATION"
    if name == "axis":
        return "MAP_AXIS"
    if size == 12:
        return "MAP_MOTION"
    if size == 4 and header == "se2.h":
        return "MAP_PLANE"
    if size == 4 and not (header == "quat.h" and name in ("x", "v", "m", "y", "psi")) and name != "x":
        return "MAP_QUATERNION"
    return "MAP_VECTOR"


def wrapper(kind, name, params, header):
    """(code, entry) of a map, None of what is none."""
    n, arguments = length_of(name, params, header)
    inputs, out, offset = [], 0, 0
    arguments = list(arguments)
    for param in params[len(arguments):]:
        size = array_size(param, n)
        if re.match(r"const double (\*\w+|\w+\[\d+\])$", param) and size:
            arguments.append(f"in + {offset}")
            inputs.append((size, kind_of(name, param, size, header)))
            offset += size
        elif re.match(r"double (\*\w+|\w+\[\d+\])$", param):
            arguments.append(f"out + {out}")
            out += size
        elif re.match(r"double \w+$", param):
            arguments.append(f"in[{offset}]")
            inputs.append((1, "MAP_VECTOR"))
            offset += 1
        elif re.match(r"lie_ccsds_\w+ \w+$", param):
            arguments.append("0")
        else:
            return None
    call = f"{name}({', '.join(arguments)})"
    body = {"void": f"{call};\n    return LIE_OK;", "lie_status": f"return {call};", "double": f"out[0] = {call};\n    return LIE_OK;"}[kind]
    unused = "" if inputs else "    (void)in;\n"
    code = f"static lie_status call_{name}(double *out, const double *in)\n{{\n{unused}    {body}\n}}\n"
    cells = ", ".join(f"{{{size}, {what}}}" for size, what in inputs) or "{0, MAP_VECTOR}"
    entry = f'    {{"{name}", call_{name}, {int(kind == "lie_status")}, {max(out, 1)}, {offset}, {len(inputs)}, {{{cells}}}}},\n'
    return code, entry


def maps_of(header, text):
    """(code, entry) of every map of a header."""
    maps, others = [], []
    for kind, name, params in declarations(text):
        found = wrapper(kind, name, params, header)
        if found:
            maps.append(found)
        elif not takes_object(params[len(length_of(name, params, header)[1]):]):
            others.append(name)
    if maps and others:
        sys.exit(f"{header}: no arguments can be made for {', '.join(others)}: give the arrays a length, as in double x[3]")
    return maps


def main():
    output, headers = sys.argv[1], sys.argv[2:]
    codes, entries, includes = [], [], []
    for path in headers:
        header = path.rsplit("/", 1)[-1]
        with open(path, encoding="utf-8") as file:
            maps = maps_of(header, file.read())
        if maps:
            includes.append(f"#include <liestep/{header}>\n")
        codes += [code for code, _ in maps]
        entries += [entry for _, entry in maps]
    with open(output, "w", encoding="utf-8") as file:
        file.write("".join(includes) + '#include <liestep/se3.h>\n\n#include "tests/support/map_table.h"\n\n' + "\n".join(codes))
        file.write("\nconst map_case map_table[] = {\n" + "".join(entries) + "};\n")
        file.write("const int map_count = sizeof map_table / sizeof map_table[0];\n")


main()
