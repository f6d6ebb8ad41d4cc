#!/usr/bin/env bash
# Tests `mazurka bench --on slurm` with a real Slurm of one node, which is lost in the middle and comes
# back: the verdicts have to be those of a run without Slurm. The program under test is the first argument.
# Needs root, and Debian or Ubuntu to install slurm-wlm if that is missing; without root it leaves the
# test out. Everything that it starts keeps its files in a folder of its own and is stopped in the end.
set -euo pipefail
cd "$(dirname "$0")/.."
program="$(realpath "$1")"
if [ "$(id -u)" != 0 ]; then
    echo "the test with Slurm is left out: only root can start Slurm's daemons"
    exit 0
fi
present() { command -v slurmctld > /dev/null && command -v slurmd > /dev/null && command -v munged > /dev/null; }
present || scripts/install_packages.sh slurm-wlm munge > /dev/null
if ! present; then
    echo "error: this test needs Slurm (Debian: slurm-wlm, munge), which cannot be installed here" >&2
    exit 1
fi
source scripts/write_task.sh
examples="$PWD/examples"
folder="$(mktemp -d)"
chmod 755 "$folder"
export SLURM_CONF="$folder/slurm.conf"

# The processes of the node: its daemon, and as Slurm knows them the runs, with the steps above them.
node_processes() {
    cat "$folder/slurmd.pid" 2> /dev/null || true
    scontrol listpids 2> /dev/null | awk 'NR > 1 && $1 > 1 { print $1 }' | while read -r pid; do
        echo "$pid"
        parent="$(ps -o ppid= -p "$pid" | tr -d ' ')"
        [ "$(ps -o comm= -p "${parent:-1}")" = slurmstepd ] && echo "$parent"
    done || true
}

finish() {
    for pid in $(node_processes); do kill -9 "$pid" 2> /dev/null || true; done
    for daemon in slurmctld munged; do
        [ -e "$folder/$daemon.pid" ] && kill "$(cat "$folder/$daemon.pid")" 2> /dev/null || true
    done
    # They write until their end.
    for _ in $(seq 100); do
        [ -e "$folder/slurmctld.pid" ] || [ -e "$folder/munged.pid" ] || break
        sleep 0.1
    done
    rm -rf "$folder"
}
trap finish EXIT

host="$(hostname -s)"
mkdir "$folder/state" "$folder/spool"
dd if=/dev/urandom of="$folder/munge.key" bs=1024 count=1 2> /dev/null
chmod 400 "$folder/munge.key"
munged --force --socket "$folder/munge.socket" --key-file "$folder/munge.key" --pid-file "$folder/munged.pid" \
    --log-file "$folder/munged.log" --seed-file "$folder/munged.seed"
cat > "$SLURM_CONF" <<END
ClusterName=mazurka
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
SlurmctldPort=16817
SlurmdPort=16818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SlurmdTimeout=6
SchedulerParameters=sched_interval=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=1 RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
slurmctld
slurmd

# A suite with a run that takes long enough to be lost.
suite="$folder/suite"
mkdir -p "$suite"
cat > "$suite/middle.c" <<END
#include <pthread.h>
unsigned long x, y, z;
void *count_x(void *arg) { for (;;) x++; }
void *count_y(void *arg) { for (;;) y++; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, count_x, 0);
    pthread_create(&b, 0, count_y, 0);
    for (;;) z++;
}
END
write_task "$suite" "$suite/middle.c" true
for task in lost_update:false lost_update_fixed:true peterson:true peterson_without_turn:false; do
    write_task "$suite" "$examples/${task%:*}.c" "${task#*:}"
done

bench() {
    "$program" bench "$suite" --engine explore --timeout 12 --memory 1000 "$@"
}
cd "$folder"
bench --out here.csv > here.log 2>&1
bench --out there.csv --on slurm > there.log 2>&1 &
submitter=$!
# The third run in the order of names is the endless one: it is there when the node is lost.
for _ in $(seq 200); do
    [ -e there.csv.slurm/1.csv ] && break
    sleep 0.2
done
sleep 3
for pid in $(node_processes); do kill -9 "$pid" 2> /dev/null || true; done
echo "the node is lost with $(ls there.csv.slurm/*.csv 2> /dev/null | wc -l) of 5 rows done"
for _ in $(seq 120); do
    sinfo --noheader --format=%T | grep -q '^down' && break
    sleep 0.5
done
sinfo --noheader --format='the node is %T'
slurmd
if ! wait "$submitter"; then
    echo "bench --on slurm failed:"
    cat there.log
    exit 1
fi
submissions="$(ls there.csv.slurm/array-*.sh | wc -l)"
verdicts() { cut -d, -f1-6 "$1" | sort; }
if ! diff <(verdicts here.csv) <(verdicts there.csv); then
    echo "the verdicts with Slurm are others"
    exit 1
fi
if [ "$submissions" -lt 2 ]; then
    echo "nothing was submitted again: the node was lost too late for this test"
    exit 1
fi
echo "$(($(wc -l < there.csv) - 1)) verdicts with Slurm are those without, after $submissions submissions"
