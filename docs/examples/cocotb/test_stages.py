# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes the Verilog of each stage and runs its cocotb bench.

MPNIC    the program; without it `mpnic` from the path
RTL      a directory that has the files of `mpnic rtl` of each stage, in a folder of the stage's name; without it they are made
CONFIG   the configuration that they are made for, a name or a file (default: ecp5-10g)
SIM      the simulator, as cocotb calls it (default: icarus)
"""

import os
import pathlib
import subprocess

import pytest
from cocotb_tools.runner import get_results, get_runner

HERE = pathlib.Path(__file__).resolve().parent


def generated(stage, out):
    """The folder with the Verilog of a stage."""
    if "RTL" in os.environ:
        return pathlib.Path(os.environ["RTL"]).resolve() / stage
    program, config = os.environ.get("MPNIC", "mpnic"), os.environ.get("CONFIG", "ecp5-10g")
    subprocess.run([program, "rtl", "--stage", stage, "--config", config, "--out", out, "--force"], check=True)
    return out


@pytest.mark.parametrize("stage", ["header_parser", "tally"])
def test_stage(stage, tmp_path):
    """STAGE_bench.py has the tests of a stage."""
    rtl = generated(stage, tmp_path / "rtl")
    # TOP.f lists the Verilog files, one a line.
    (file_list,) = rtl.glob("*.f")
    lines = file_list.read_text().splitlines()
    top, sources = file_list.stem, [rtl / line for line in lines if line and not line.startswith("//")]
    # The head of the Verilog says what it was made for; no port tells which protocols there are.
    text = (rtl / f"{top}.v").read_text()
    env = {"ROCEV2": "0" if "protocols.rocev2 = false" in text else "1"}
    runner = get_runner(os.environ.get("SIM", "icarus"))
    runner.build(sources=sources, hdl_toplevel=top, build_dir=tmp_path / "build")
    results = runner.test(
        hdl_toplevel=top, test_module=f"{stage}_bench", build_dir=tmp_path / "build", test_dir=HERE, results_xml=tmp_path / "results.xml",
        extra_env=env,
    )  # fmt: skip
    ran, failed = get_results(results)
    assert ran > 0 and failed == 0
