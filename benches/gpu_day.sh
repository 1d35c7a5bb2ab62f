#!/usr/bin/env bash
# Ten minutes on a machine with an NVIDIA GPU: tests, sanitizers and measurements, in one report.
#
#   benches/gpu_day.sh          builds what is needed, and runs
#   benches/gpu_day.sh build    builds only, into a folder that can be carried to another machine
#   benches/gpu_day.sh run      runs what was built; on a machine with cargo, builds what is missing
#
# Behind these words:
#
#   --binaries DIR   where the programs are [target/gpu-day/bin]
#   --out DIR        where the report is written [target/gpu-day/report-DATE]
#   --trees FILE     trees of the Stanford Sentiment Treebank, which edb and PyTorch read [drawn]
#   --minutes N      the time of a run, without building [10]
#
# A machine that only runs needs no cargo and no network, but CUDA's libraries, as edb itself does:
# they are looked for where the dynamic linker, the CUDA toolkit and Python's packages have them.
# Each step has a time limit. One that fails, or cannot run, is noted with the reason, and the
# others still run. The exit status is 1 if a step that tests something failed, and 2 if nothing
# could be run, as without a GPU; there is a report in either case.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  sed -n '2,/^set /{/^set /d; s/^# \{0,1\}//; p}' benches/gpu_day.sh >&2
  exit 2
}

home="${CARGO_TARGET_DIR:-$PWD/target}/gpu-day"
binaries="$home/bin"
out="$home/report-$(date +%Y%m%d-%H%M%S)"
trees=""
minutes=10
verb=both
case "${1:-}" in
  build | run)
    verb="$1"
    shift
    ;;
esac
while (($#)); do
  case "$1" in
    --binaries | --out | --trees | --minutes) [ -n "${2:-}" ] || usage ;;
    *) usage ;;
  esac
  case "$1" in
    --binaries) binaries="$(realpath -m "$2")" ;;
    --out) out="$(realpath -m "$2")" ;;
    --trees) trees="$(realpath "$2")" ;;
    --minutes) minutes="$2" ;;
  esac
  shift 2
done
[[ "$minutes" =~ ^[1-9][0-9]*$ ]] || usage

# Building ---------------------------------------------------------------------------------------

# Runs cargo with these arguments; prints the path of the program that it has built.
program_of() {
  cargo "$@" --release --message-format=json-render-diagnostics |
    sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1
}

build() {
  mkdir -p "$binaries"
  cp "$(program_of build --features cuda --example workloads)" "$binaries/workloads"
  cp "$(program_of test --no-run -p edb-cuda --test suite)" "$binaries/suite"
  # A third is names that only a debugger reads.
  if command -v strip > /dev/null; then strip "$binaries/workloads" "$binaries/suite"; fi
  {
    echo "- revision: $(git describe --always --dirty --abbrev=12 2> /dev/null || echo unknown)"
    echo "- built: $(date -u '+%Y-%m-%d %H:%M') UTC, $(rustc --version), $(uname -m)"
  } > "$binaries/built.txt"
  du -h "$binaries"/*
}

is_built() {
  [ -x "$binaries/workloads" ] && [ -x "$binaries/suite" ]
}

# What a run notes -------------------------------------------------------------------------------

steps=()   # rows of the table of steps
not_run=() # lines of the list of what was not run
failed=0   # whether a step that tests something failed

# Notes a step: its name, its result, its seconds, and the file with its output.
note() {
  steps+=("| $1 | $2 | $3 | $4 |")
  echo "$1: $2"
}

# Notes that something was not run, and why.
omit() {
  not_run+=("- $1: $2")
  echo "$1: not run: $2"
}

# The arguments with commas.
list() {
  printf '%s, ' "$@" | sed 's/, $//'
}

# Runs a command for at most so many seconds. Its output is appended to a file of the report, and
# is what `output` prints until the next command. Afterwards `reason` says what went wrong, if
# anything; the status is that of the command, 124 if its time was over, and 125 if none was left.
attempt() {
  local most="$2" left=$((deadline - SECONDS)) status=0 begin=$SECONDS
  file="$1"
  shift 2
  reason="" took=0
  if ((left < 5)); then
    reason="no time was left"
    return 125
  fi
  ((most <= left)) || most=$left
  printf '\n$ %s\n' "$*" >> "$out/$file"
  before=$(wc -l < "$out/$file")
  timeout --kill-after=5 "$most" "$@" >> "$out/$file" 2>&1 || status=$?
  took=$((SECONDS - begin))
  # 137: it did not end when it was asked to.
  if ((status == 137)); then status=124; fi
  if ((status == 124)); then
    reason="stopped after $most s"
  elif ((status)); then
    reason="status $status: $(output | grep -v '^[[:space:]]*$' | tail -n 1 | cut -c 1-300)"
  fi
  return "$status"
}

output() {
  tail -n "+$((before + 1))" "$out/$file"
}

# The machine ------------------------------------------------------------------------------------

# The directories that may have CUDA's libraries, besides those that the dynamic linker knows.
library_folders() {
  tr ':' '\n' <<< "${LD_LIBRARY_PATH:-}"
  printf '%s\n' /usr/local/cuda*/lib64 /usr/local/nvidia/lib64 /usr/lib/wsl/lib
  python3 -c 'import sys; print("\n".join(path + "/nvidia" for path in sys.path if path))' \
    2> /dev/null | while read -r folder; do printf '%s\n' "$folder"/*/lib; done
}

# Prints the folder of a library, or `linker` if the dynamic linker finds it without being told.
library() {
  local folder
  # Not `grep -q`, which ends before it has read everything: that would be an error of the pipe.
  if ldconfig -p 2> /dev/null | grep "^[[:space:]]*$1 " > /dev/null; then
    echo linker
    return
  fi
  while read -r folder; do
    if [ -n "$folder" ] && [ -e "$folder/$1" ]; then
      echo "$folder"
      return
    fi
  done < <(library_folders)
}

# Finds what edb opens at run time, and makes the dynamic linker find it.
find_libraries() {
  local name where
  for name in libcuda.so.1 libnvrtc.so.13 libcublas.so.13; do
    where="$(library "$name")"
    echo "$name: ${where:-not found}"
    case "$where" in
      linker | "") ;;
      *) LD_LIBRARY_PATH="$where${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" ;;
    esac
  done
  export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}"
}

# The path of NVIDIA's sanitizer, if it is installed.
find_sanitizer() {
  local path
  for path in "$(command -v compute-sanitizer || true)" /usr/local/cuda*/bin/compute-sanitizer \
    /usr/local/cuda*/compute-sanitizer/compute-sanitizer; do
    if [ -x "$path" ]; then
      echo "$path"
      return
    fi
  done
}

# Prints what a command says.
say() {
  echo
  echo "\$ $*"
  timeout 20 "$@" 2>&1 || echo "(status $?)"
}

machine() {
  uname -a
  cat "$binaries/built.txt" 2> /dev/null || true
  grep -m 1 'model name' /proc/cpuinfo || true
  echo "processors: $(nproc)"
  grep MemTotal /proc/meminfo || true
  say nvidia-smi
  say nvidia-smi --format=csv \
    --query-gpu=name,driver_version,compute_cap,memory.total,clocks.max.sm,clocks.max.memory
  say rustc --version
  say nvcc --version
  say "${sanitizer:-compute-sanitizer}" --version
  say python3 -c 'import torch; print("torch", torch.__version__, torch.version.cuda)'
}

# Tests ------------------------------------------------------------------------------------------

# Tests of bits, by which everything else can be repeated:
# two training runs have the same bits, with single launches and with CUDA graphs;
# the same minibatch has the same bits twice in every precision with all launches, and CUDA graphs
# have the bits of single launches; the same for training steps; two runs in 16 bits have the same
# bits; every rule of an optimiser has the bits of the processor.
BITS=(
  two_runs_have_the_same_bits
  replays::a_gpu_repeats_its_bits_in_full
  replays::a_gpu_repeats_its_bits_in_tf32
  replays::a_gpu_repeats_its_bits_in_bf16
  replays::a_gpu_repeats_its_bits_in_f16
  replays::training_has_the_bits_of_single_launches
  half::training_in_bf16
  half::training_in_f16
  optimizers::rules_in_f32
  optimizers::rules_in_f64
)

# The other tests that run on a GPU, as patterns: those that every back end has to pass have no `::`
# in their names. All others are of the emulator or of sources.
OTHERS=(
  '[^:]*'
  'optimizers::.*'
  'half::(losses|cells)_.*'
  'half::random_programs_.*'
  'scaled::(small_gradients|large_gradients|an_overflow|infinite_gradients)_.*'
)

# Runs tests on the GPU alone: the name of the step, its file, its seconds, and the tests. The step
# fails if a test does; a test that its time did not suffice for was not run.
run_tests() {
  local name="$1" file="$2" most="$3" status=0 passed wrong test missing=()
  shift 3
  attempt "$file" "$most" \
    env EDB_REQUIRE_GPU=only "$binaries/suite" --include-ignored --exact "$@" || status=$?
  if ((status == 125)); then
    omit "$name" "$reason"
    return
  fi
  passed=$(output | grep -c '^test .* \.\.\. ok$' || true)
  wrong="$(output | sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' | paste -s -d ' ')"
  for test in "$@"; do
    output | grep "^test $test \.\.\. " > /dev/null || missing+=("$test")
  done
  if ((${#missing[@]})); then
    omit "$name, ${#missing[@]} tests ($(list "${missing[@]}"))" "${reason:-they do not exist}"
  fi
  # A run that ends without having run all tests, or by itself with an error, has crashed.
  if [ -n "$wrong" ] || ((status != 124 && (status || ${#missing[@]}))); then
    failed=1
    note "$name" "**FAILED**: ${wrong:-${reason:-tests are missing}}; $passed of $# passed" "$took" "$file"
  else
    note "$name" "$passed of $# passed${reason:+; $reason}" "$took" "$file"
  fi
}

# The names of tests: of all, or with `--ignored` of those that `cargo test` leaves out because they
# take long.
names() {
  "$binaries/suite" --list --format terse "$@" | sed -n 's/: test$//p'
}

# Those of the names read that are in OTHERS but not in BITS.
others() {
  grep -xE "$(printf '%s\n' "${OTHERS[@]}")" | grep -vxF "$(printf '%s\n' "${BITS[@]}")"
}

# A small run under the sanitizer, whose kernels the tests of bits have compiled. Further arguments
# are the sanitizer's.
sanitize() {
  local tool="$1" most="$2" status=0
  shift 2
  if [ -z "$sanitizer" ]; then
    omit "$tool" "compute-sanitizer is not installed"
    return
  fi
  attempt sanitizer.txt "$most" env EDB_REQUIRE_GPU=only "$sanitizer" --tool "$tool" \
    "$@" --error-exitcode 86 "$binaries/suite" --exact --test-threads 1 two_runs_have_the_same_bits ||
    status=$?
  # Time that was over does not undo what was found until then.
  local found='^========= (Invalid|Error: Race|Program hit)'
  if ((status == 124)) && output | grep -E "$found" > /dev/null; then status=86; fi
  local summary
  summary="$(output | grep -o 'ERROR SUMMARY.*\|RACECHECK SUMMARY.*' | tail -n 1 || true)"
  case "$status" in
    0) note "$tool" "passed; $summary" "$took" sanitizer.txt ;;
    124 | 125) omit "$tool" "$reason" ;;
    *)
      failed=1
      note "$tool" "**FAILED**: ${summary:-$reason}" "$took" sanitizer.txt
      ;;
  esac
}

# Measurements -----------------------------------------------------------------------------------

# Cells, as hidden units, minibatch and precision: first those that tell most.
TELLING=(
  "256 32 full" "256 32 bf16" "512 256 full" "64 1 full" "512 256 bf16" "64 32 full" "256 256 full"
  "256 1 full"
)

# All cells; `sort -u` would lose their order.
all_cells() {
  local precision hidden batch
  printf '%s\n' "${TELLING[@]}"
  for precision in full bf16 tf32 f16; do
    for batch in 32 256 1; do
      for hidden in 256 512 64; do echo "$hidden $batch $precision"; done
    done
  done
}

# Measures edb in these cells, in every way to launch, for so many seconds in all.
measure() {
  local name="$1" until=$((SECONDS + $2)) begin=$SECONDS count=0 all hidden batch precision cell
  local late=()
  shift 2
  all=$#
  for cell in "$@"; do
    read -r hidden batch precision <<< "$cell"
    if ((until - SECONDS < 5)); then
      late+=("h$hidden B$batch $precision")
      continue
    fi
    local device=cuda
    [ "$precision" = full ] || device="cuda,$precision"
    if attempt workloads.txt $((until - SECONDS < 60 ? until - SECONDS : 60)) \
      "$binaries/workloads" tree-lstm --data "$trees" --device "$device" \
      --launches single,tiled,graphs --mode train,infer --hidden "$hidden" --batch "$batch" \
      --seconds 0.3 --json; then
      count=$((count + 1))
    else
      omit "edb, h$hidden B$batch $precision, or a part of it" "$reason"
    fi
  done
  if ((${#late[@]})); then
    omit "edb, ${#late[@]} cells ($(list "${late[@]}"))" "no time was left"
  fi
  note "$name" "$count of $all" $((SECONDS - begin)) workloads.txt
}

# Measures what decides while it runs: graphs that grow, and vertices with branches.
measure_decided() {
  local until=$((SECONDS + $1)) begin=$SECONDS count=0 workload
  for workload in translate-grow parser routed-tree; do
    local further=()
    # Scores of all words would take so long that what it costs to grow would not be seen.
    [ "$workload" != translate-grow ] || further=(--ids-modulo 256)
    if ((until - SECONDS < 5)); then
      omit "edb, $workload" "no time was left"
    elif attempt decided.txt $((until - SECONDS)) "$binaries/workloads" "$workload" \
      "${further[@]}" --device cuda --mode train,infer --hidden 256 --batch 32,256 --passes 3 \
      --seconds 0.3 --json; then
      count=$((count + 1))
    else
      omit "edb, $workload, or a part of it" "$reason"
    fi
  done
  note "edb, what decides" "$count of 3" $((SECONDS - begin)) decided.txt
}

# Measures PyTorch in the cells that tell most, in 32 bits; what `torch.compile` makes comes last,
# since it takes long to make.
measure_torch() {
  local until=$((SECONDS + $1)) begin=$SECONDS count=0 all=0 cell hidden batch precision mode
  local variants check='import torch; assert torch.cuda.is_available(), "no GPU"'
  # PyTorch brings libraries of its own, beside which those of edb should not be found.
  local python=(env LD_LIBRARY_PATH="$given_libraries" python3)
  if ! attempt torch.txt 60 "${python[@]}" -c "$check"; then
    omit PyTorch "$reason"
    return
  fi
  for variants in levels,by_hand,levels_graph,by_hand_graph \
    levels_compile,by_hand_compile,by_hand_compile_graph; do
    for cell in "${TELLING[@]}"; do
      read -r hidden batch precision <<< "$cell"
      [ "$precision" = full ] || continue
      for mode in train infer; do
        all=$((all + 1))
        if ((until - SECONDS < 5)); then
          omit "PyTorch, h$hidden B$batch, $mode, $variants" "no time was left"
        elif attempt torch.txt $((until - SECONDS)) "${python[@]}" benches/peers/treelstm_torch.py \
          --data "$trees" --device cuda --hidden "$hidden" --batch "$batch" --mode "$mode" \
          --variants "$variants"; then
          count=$((count + 1))
        else
          omit "PyTorch, h$hidden B$batch, $mode, $variants, or a part of it" "$reason"
        fi
      done
    done
  done
  note PyTorch "$count of $all" $((SECONDS - begin)) torch.txt
}

# The report -------------------------------------------------------------------------------------

# The lines of JSON in a file of the report as a table with these keys.
results() {
  local file="$out/$1"
  shift
  if ! grep -qs '^{' "$file"; then
    echo "Nothing was measured."
    return 0
  fi
  # 1.234 and 1235 rather than 1.2345678 and 1234.5678.
  grep '^{' "$file" | awk -v keys="$*" '
    function value(key,   found) {
      if (!match($0, "\"" key "\": *(\"[^\"]*\"|[^,}]*)")) return ""
      found = substr($0, RSTART, RLENGTH)
      sub(/^[^:]*: */, "", found)
      gsub(/"/, "", found)
      if (found !~ /^[0-9.]+(e[-+]?[0-9]+)?$/) return found
      return sprintf(found + 0 < 1000 ? "%.4g" : "%.0f", found)
    }
    BEGIN {
      count = split(keys, key, " ")
      for (at = 1; at <= count; at++) { heading = heading " " key[at] " |"; rule = rule " --- |" }
      print "|" heading; print "|" rule
    }
    { row = "|"; for (at = 1; at <= count; at++) row = row " " value(key[at]) " |"; print row }'
}

write_report() {
  # What goes wrong here must not cut the report short.
  set +e
  {
    echo "# edb on a GPU, $(date -u '+%Y-%m-%d %H:%M') UTC"
    echo
    cat "$binaries/built.txt" 2> /dev/null || echo "- nothing is built"
    echo "- GPU: ${gpu:-none found}"
    echo
    if ((failed)); then printf '**A step that tests something FAILED.**\n\n'; fi
    echo "## Steps"
    echo
    echo "| step | result | seconds | output |"
    echo "| --- | --- | --- | --- |"
    ((${#steps[@]} == 0)) || printf '%s\n' "${steps[@]}"
    echo
    echo "## Tests of bits"
    echo
    echo '```text'
    grep -hs '^test ' "$out/bits.txt" || echo "none were run"
    echo '```'
    echo
    echo "## edb"
    echo
    echo "A device without the name of its launches has single launches. The peak is that of a"
    echo "large product on this device, in this precision."
    echo
    results workloads.txt mode hidden batch device instances_per_s ms_per_batch construct_ms \
      schedule_ms forward_ms backward_ms update_ms peak_gflops fraction_of_peak copy_gb_per_s
    echo
    echo "## edb, what decides"
    echo
    results decided.txt workload mode hidden batch instances_per_s ms_per_batch schedule_ms \
      forward_ms backward_ms batches lower_bound rounds
    echo
    echo "## PyTorch"
    echo
    results torch.txt mode hidden batch variant instances_per_s tf32 error
    echo
    echo "## Not run"
    echo
    if ((${#not_run[@]})); then printf '%s\n' "${not_run[@]}"; else echo "Everything was run."; fi
    echo
    echo "## The machine"
    echo
    echo '```text'
    cat "$out/machine.txt"
    echo '```'
  } > "$out/report.md"
  rm -rf "$scratch"
  echo "report: $out/report.md"
}

run() {
  SECONDS=0
  # The rest is for what comes behind the last step.
  deadline=$((minutes * 60 - 10))
  mkdir -p "$out"
  scratch="$(mktemp -d)"
  sanitizer="$(find_sanitizer)"
  gpu="$(timeout 20 nvidia-smi --query-gpu=name --format=csv,noheader 2> /dev/null)" || gpu=""
  given_libraries="${LD_LIBRARY_PATH:-}"
  touch "$out/machine.txt"
  # Whatever ends this, there is a report.
  trap write_report EXIT
  trap 'exit 1' INT TERM
  find_libraries > "$out/machine.txt"
  machine >> "$out/machine.txt"
  # The steps share the kernels that they compile, and no other run does.
  export EDB_CUDA_CACHE="$scratch/kernels"

  if ! is_built; then
    omit everything "$binaries has no programs, and there is no cargo to build them"
    exit 2
  fi
  if [ -z "$trees" ]; then
    trees="$scratch/trees.txt"
    "$binaries/workloads" tree-lstm --print-instances > "$trees"
  fi
  if attempt workloads.txt 60 "$binaries/workloads" tree-lstm --device cuda --hidden 8 --batch 4 \
    --passes 1 --seconds 0; then
    note "first run" passed "$took" workloads.txt
    gpu="${gpu:-cuda:0}"
  elif [ -n "$gpu" ]; then
    failed=1
    note "first run" "**FAILED**: $reason" "$took" workloads.txt
  else
    omit everything "there is no GPU: $reason"
    exit 2
  fi

  local rest tests longest
  mapfile -t longest < <(names --ignored | others)
  mapfile -t tests < <(names | others | grep -vxF "$(printf '%s\n' "${longest[@]}")")
  mapfile -t rest < <(all_cells | awk '!seen[$0]++' | tail -n "+$((${#TELLING[@]} + 1))")
  run_tests bits bits.txt 120 "${BITS[@]}"
  measure "edb, the cells that tell most" 130 "${TELLING[@]}"
  measure_decided 60
  measure_torch 100
  run_tests suite suite.txt 120 "${tests[@]}"
  sanitize memcheck 60
  # It takes seconds for a launch.
  sanitize racecheck 45 --launch-count 40
  run_tests "suite, the longest" suite.txt 60 "${longest[@]}"
  measure "edb, all other cells" $((deadline - SECONDS)) "${rest[@]}"
  exit "$failed"
}

case "$verb" in
  build) build ;;
  run)
    if ! is_built && command -v cargo > /dev/null; then build; fi
    run
    ;;
  both)
    build
    run
    ;;
esac
