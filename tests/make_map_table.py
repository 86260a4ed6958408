#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write a C table of every public map on plain arrays, read from the headers themselves.

    make_map_table.py OUTPUT.c HEADER.h...

Each function declared LIE_API becomes a wrapper with one flat array of inputs and one of outputs (map_table.h), so that a
test can try every function with every argument without a list that someone has to keep. Functions that take an object
instead of arrays (lie_ops tables, the matrix groups) are not maps; the test of their own file tries them.
"""
import re
import sys

SKIP_HEADERS = {"actuation.h", "adaptive.h", "chaos.h", "control.h", "core.h", "ensemble.h", "estimate.h", "feedback.h", "group.h",
                "lagrange_top.h", "lapack.h", "liestep.h", "matgroup.h", "product.h", "section.h", "status.h",
                "stepper.h", "surface.h", "system.h", "systems.h", "tableau.h", "tangent.h", "version.h"}
RN_DIM = 5  # dimension at which the functions of rn.h are tried
FIXED = {"int n": str(RN_DIM), "int q": "7", "const lie_ops *G": "&lie_se3_exp_ops"}
ELEMENTS = {"R": "ROTATION", "A": "ROTATION", "B": "ROTATION"}


def declarations(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    for match in re.finditer(r"LIE_API\s+(void|lie_status|double)\s+(\w+)\s*\(([^)]*)\)\s*;", text):
        yield match.group(1), match.group(2), [" ".join(p.split()) for p in match.group(3).split(",")]


def array_size(param, header):
    match = re.search(r"\[(\d+)\]$", param)
    if match:
        return int(match.group(1))
    if header == "rn.h":
        return RN_DIM * RN_DIM if re.search(r"\*M$", param) else RN_DIM
    if header == "series.h":
        return 36 if re.search(r"\*M$", param) else 6
    return 1


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
    arguments, inputs, out = [], [], 0
    offset = 0
    for param in params:
        if param in FIXED:
            arguments.append(FIXED[param])
        elif param.startswith("const double "):
            size = array_size(param, header)
            arguments.append(f"in + {offset}")
            inputs.append((size, kind_of(name, param, size, header)))
            offset += size
        elif re.match(r"double (\*\w+|\w+\[\d+\])$", param):
            arguments.append(f"out + {out}")
            out += array_size(param, header)
        elif re.match(r"double \w+$", param):
            arguments.append(f"in[{offset}]")
            inputs.append((1, "MAP_VECTOR"))
            offset += 1
        elif re.match(r"lie_ccsds_\w+ \w+$", param):
            arguments.append("0")
        else:
            sys.exit(f"{header}: {name}: cannot make an argument for '{param}'")
    call = f"{name}({', '.join(arguments)})"
    body = {"void": f"{call};\n    return LIE_OK;", "lie_status": f"return {call};", "double": f"out[0] = {call};\n    return LIE_OK;"}[kind]
    unused = "" if inputs else "    (void)in;\n"
    code = f"static lie_status call_{name}(double *out, const double *in)\n{{\n{unused}    {body}\n}}\n"
    cells = ", ".join(f"{{{size}, {what}}}" for size, what in inputs) or "{0, MAP_VECTOR}"
    entry = f'    {{"{name}", call_{name}, {int(kind == "lie_status")}, {max(out, 1)}, {offset}, {len(inputs)}, {{{cells}}}}},\n'
    return code, entry


def main():
    output, headers = sys.argv[1], sys.argv[2:]
    codes, entries, includes = [], [], []
    for path in headers:
        header = path.rsplit("/", 1)[-1]
        if header in SKIP_HEADERS:
            continue
        includes.append(f"#include <liestep/{header}>\n")
        with open(path, encoding="utf-8") as file:
            for kind, name, params in declarations(file.read()):
                if header == "rn.h" and name == "lie_rn_ops":
                    continue
                code, entry = wrapper(kind, name, params, header)
                codes.append(code)
                entries.append(entry)
    with open(output, "w", encoding="utf-8") as file:
        file.write("".join(includes) + '#include <liestep/se3.h>\n\n#include "map_table.h"\n\n' + "\n".join(codes))
        file.write("\nconst map_case map_table[] = {\n" + "".join(entries) + "};\n")
        file.write("const int map_count = sizeof map_table / sizeof map_table[0];\n")


main()
