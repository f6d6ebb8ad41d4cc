#!/usr/bin/env python3
"""Makes a wheel and a Debian package of a folder that `cargo xtask dist` has filled.

    scripts/packages.py FOLDER VERSION OUT

The wheel puts the program into the `bin` of an environment and the solver's library into the `lib` beside it, where the
program looks for it (`$ORIGIN/../lib`). The Debian package keeps both in /usr/lib/mazurka, so that the library does not
get in the way of another version. Prints the names of both files. The same content gives the same files.
"""

import base64
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

SUMMARY = "A verifier for multi-threaded C programs"
# The beginning of the time that zip files know.
EPOCH = (1980, 1, 1, 0, 0, 0)


def wheel(folder: Path, version: str, out: Path) -> Path:
    """A wheel, as `pip install` takes it."""
    libc = platform.libc_ver()[1].split(".")
    machine = platform.machine()
    tag = f"py3-none-manylinux_{libc[0]}_{libc[1]}_{machine}"
    info = f"mazurka-{version}.dist-info"
    data = f"mazurka-{version}.data"
    members: dict[str, tuple[bytes, int]] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        place = f"{data}/scripts/{path.name}" if name.startswith("bin/") else f"{data}/data/{name}"
        members[place] = (path.read_bytes(), path.stat().st_mode)
    metadata = f"Metadata-Version: 2.1\nName: mazurka\nVersion: {version}\nSummary: {SUMMARY}\nLicense: MIT OR Apache-2.0\n"
    generator = f"Wheel-Version: 1.0\nGenerator: mazurka\nRoot-Is-Purelib: false\nTag: {tag}\n"
    members[f"{info}/METADATA"] = (metadata.encode(), 0o644)
    members[f"{info}/WHEEL"] = (generator.encode(), 0o644)
    rows = []
    for name, (content, _) in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(content)}\n")
    rows.append(f"{info}/RECORD,,\n")
    members[f"{info}/RECORD"] = ("".join(rows).encode(), 0o644)
    made = out / f"mazurka-{version}-{tag}.whl"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (content, mode) in members.items():
            member = zipfile.ZipInfo(name, EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = (0o100000 | (mode & 0o755)) << 16
            archive.writestr(member, content)
    return made


def debian(folder: Path, version: str, out: Path) -> Path:
    """A package for Debian and its relatives."""
    architecture = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout.strip()
    libc = platform.libc_ver()[1]
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "root"
        for part in ("bin", "lib"):
            shutil.copytree(folder / part, root / "usr/lib/mazurka" / part)
        shutil.copytree(folder / "share", root / "usr/share")
        (root / "usr/bin").mkdir()
        (root / "usr/bin/mazurka").symlink_to("../lib/mazurka/bin/mazurka")
        size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) // 1024
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN/control").write_text(
            f"Package: mazurka\nVersion: {version}\nArchitecture: {architecture}\nInstalled-Size: {size}\n"
            "Maintainer: The Mazurka developers <mazurka@localhost>\nSection: devel\nPriority: optional\n"
            f"Depends: libc6 (>= {libc}), libstdc++6, libgcc-s1, gcc | clang | c-compiler, libc6-dev\n"
            f"Description: {SUMMARY}\n"
            " It proves that no interleaving and no input breaks a program, or it shows a\n schedule that does, and replays it.\n"
        )
        for path in [root, *root.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)
        made = out / f"mazurka_{version}_{architecture}.deb"
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, made],
            check=True, stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": "315532800"},
        )
    return made


def main() -> None:
    folder, version, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    print(wheel(folder, version, out))
    if shutil.which("dpkg-deb"):
        print(debian(folder, version, out))
    else:
        print("no Debian package: dpkg-deb is not installed", file=sys.stderr)


if __name__ == "__main__":
    main()
