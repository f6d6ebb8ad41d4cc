# Sourced by tests: `write_task FOLDER PROGRAM VERDICT` writes a task definition that asks whether the
# program's errors can be reached, named after the program.
write_task() {
    echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' > "$1/unreach-call.prp"
    cat > "$1/$(basename "$2" .c).yml" <<END
format_version: '2.0'
input_files: '$2'
properties:
  - property_file: unreach-call.prp
    expected_verdict: $3
options:
  language: C
  data_model: LP64
END
}
