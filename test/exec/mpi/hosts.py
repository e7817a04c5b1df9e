#!/usr/bin/python3
# ===- hosts.py - Ranks on two hosts made of namespaces -------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs a compiled program of four ranks by mpirun on two hosts, two ranks on
each. A host is a network namespace with a host name of its own; the only link
of either is a pair of virtual devices between them, so that what the ranks of
different hosts send goes by TCP over it, and nothing leaves this machine. mpirun
reaches the other host through a launch agent that enters its namespace instead
of ssh.

  hosts.py PROGRAM --same-as FOLDER   the results are those in FOLDER
  hosts.py PROGRAM --kill RANK        the others report a rank that is killed
  hosts.py PROGRAM --cut              all report when the link goes down
  hosts.py PROGRAM --cut --with CLEAVE
                                      so does `cleave run`, by its status
  hosts.py --probe                    says why there can be no such hosts, if so

Needs the right to make namespaces (root, as a rule).

RUN: %python %s --self-test
"""

import argparse
import filecmp
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import survive

RANKS = 4
# No other network knows of them.
NETWORK = "10.77.0.0/24"
ADDRESSES = ["10.77.0.1", "10.77.0.2"]
LINK = "wire"
# By hosts in turns, so that neighbours are on different ones.
SETTINGS = {
    "OMPI_MCA_btl_tcp_if_include": NETWORK,
    "OMPI_MCA_oob_tcp_if_include": NETWORK,
    "OMPI_MCA_rmaps_base_mapping_policy": "node",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, stdout=subprocess.PIPE,
                   stderr=subprocess.STDOUT, text=True)


def inside(prefix, host):
    """What a command on a host begins with."""
    shell = f"hostname {prefix}{host} && exec \"$@\""
    return ["ip", "netns", "exec", f"{prefix}{host}", "unshare", "--uts",
            "sh", "-c", shell, "host"]


class Hosts:
    """Two hosts, which are gone afterwards with all that runs there."""

    def __init__(self):
        # Several tests can run at a time.
        self.prefix = f"cleave-{os.getpid()}-"
        self.names = [f"{self.prefix}{host}" for host in range(2)]
        self.made = []

    def __enter__(self):
        try:
            for name in self.names:
                ip("netns", "add", name)
                self.made.append(name)
            ip("-n", self.names[0], "link", "add", LINK, "type", "veth",
               "peer", "name", LINK, "netns", self.names[1])
            for name, address in zip(self.names, ADDRESSES):
                ip("-n", name, "address", "add", f"{address}/24", "dev", LINK)
                ip("-n", name, "link", "set", LINK, "up")
                ip("-n", name, "link", "set", "lo", "up")
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(self, *_):
        self.remove()

    def remove(self):
        for name in self.made:
            done = subprocess.run(["ip", "netns", "pids", name], check=False,
                                  stdout=subprocess.PIPE, text=True)
            for pid in done.stdout.split():
                try:
                    os.kill(int(pid), signal.SIGKILL)
                except ProcessLookupError:
                    pass
            ip("netns", "delete", name)

    def launch(self):
        """mpirun on the first host."""
        agent = shlex.join([sys.executable, os.path.abspath(__file__), "--agent", self.prefix])
        hosts = ",".join(f"{address}:2" for address in ADDRESSES)
        return [*inside(self.prefix, 0), *survive.MPIRUN, "--mca",
                "plm_rsh_agent", agent, "--host", hosts]

    def crossed(self):
        """Bytes that have gone over the link."""
        path = f"/sys/class/net/{LINK}/statistics/tx_bytes"
        done = subprocess.run([*inside(self.prefix, 0), "cat", path], check=True,
                              stdout=subprocess.PIPE, text=True)
        return int(done.stdout)

    def cut(self):
        ip("-n", self.names[0], "link", "set", LINK, "down")


def agent(prefix, host, command):
    """What mpirun calls to start its daemon on a host."""
    words = [*inside(prefix, ADDRESSES.index(host)), "sh", "-c", " ".join(command)]
    os.execvp(words[0], words)


def probe():
    try:
        with Hosts() as hosts:
            subprocess.run([*inside(hosts.prefix, 1), "true"], check=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except FileNotFoundError as error:
        return f"no hosts of network namespaces: there is no {error.filename}"
    except subprocess.CalledProcessError as error:
        reason = (error.output or "").strip() or f"{error.cmd[0]} failed"
        return f"no hosts of network namespaces: {reason}"
    return None


def same(hosts, program, folder):
    """The bits of ranks that are threads, and by TCP."""
    with tempfile.TemporaryDirectory() as out:
        before = hosts.crossed()
        command = [*hosts.launch(), "-np", str(RANKS), os.path.abspath(program)]
        command += ["--random-inputs", "1", "--time", "100", "--output-dir", out, "--counters"]
        print("+", shlex.join(command), flush=True)
        subprocess.run(command, check=True, timeout=120)
        crossed = hosts.crossed() - before
        print(f"{crossed} bytes crossed the link")
        names = sorted(os.listdir(folder))
        _, different, missing = filecmp.cmpfiles(folder, out, names, shallow=False)
        wrong = [f"{name} differs" for name in different + missing]
        # Rank 1 of each step's all_reduce is elsewhere.
        if not names or crossed < 100 * 1000:
            wrong.append("nothing was compared or sent")
        return wrong


def kill(hosts, program, victim):
    lost = {rank: [victim] for rank in range(RANKS) if rank != victim}
    return survive.survive(
        hosts.launch(), RANKS, program,
        lambda pids: os.kill(pids[victim], signal.SIGKILL), lost, 5,
    )


def cut(hosts, program):
    # Each misses one of the other host.
    lost = {rank: [(rank + 1) % 2, (rank + 1) % 2 + 2] for rank in range(RANKS)}
    return survive.survive(
        hosts.launch(), RANKS, program, lambda pids: hosts.cut(), lost, 5
    )


def cut_run(hosts, cleave, program):
    """`cleave run` ends with status 3, though mpirun cannot end the far ranks."""
    with tempfile.NamedTemporaryFile("w") as file:
        file.writelines(f"{address} slots=2\n" for address in ADDRESSES)
        file.flush()
        words = [sys.executable, os.path.abspath(__file__), "--agent", hosts.prefix]
        settings = dict(
            os.environ, OMPI_MCA_orte_default_hostfile=file.name,
            OMPI_MCA_plm_rsh_agent=shlex.join(words),
        )
        command = [*inside(hosts.prefix, 0), cleave, "run", program]
        command += ["--communicator", "mpi", *survive.STEPS, "5"]
        with tempfile.TemporaryFile("w+") as errors:
            # The far daemon, which nobody can end, has it open, too.
            # pylint: disable=consider-using-with
            job = subprocess.Popen(command, env=settings, stderr=errors)
            while hosts.crossed() < 1000000 and job.poll() is None:
                time.sleep(0.1)
            hosts.cut()
            job.wait(timeout=60)
            errors.seek(0)
            text = errors.read()
    print(text)
    wrong = survive.check(text, {0: 3}, {0: [1, 3]})
    if job.returncode != 3:
        wrong.append(f"status {job.returncode}")
    return wrong


def self_test():
    assert inside("a-", 1)[3] == "a-1" and "hostname a-1" in inside("a-", 1)[-2]
    assert not set(Hosts().names) & {"cleave-0", "cleave-1"}


def main():
    if sys.argv[1:2] == ["--agent"]:
        return agent(sys.argv[2], sys.argv[3], sys.argv[4:])
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", nargs="?")
    parser.add_argument("--same-as", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--kill", type=int, metavar="RANK")
    parser.add_argument("--cut", action="store_true")
    parser.add_argument("--with", dest="cleave")
    parser.add_argument("--probe", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    if options.probe:
        return probe()
    os.environ.update(SETTINGS)
    with Hosts() as hosts:
        if options.same_as:
            wrong = same(hosts, options.program, options.same_as)
        elif options.kill is not None:
            wrong = kill(hosts, options.program, options.kill)
        elif options.cleave:
            wrong = cut_run(hosts, options.cleave, options.program)
        else:
            wrong = cut(hosts, options.program)
    return "\n".join(wrong) if wrong else None


if __name__ == "__main__":
    sys.exit(main())
