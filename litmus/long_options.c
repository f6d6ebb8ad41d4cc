/* Options by name, also by the start of it, and what is no option moves to the end. */
#include <assert.h>
#include <getopt.h>
#include <stdlib.h>

int main(void) {
    char name[] = "prog", file[] = "in", count[] = "--count=3", verbose[] = "--verb", quiet[] = "-q";
    char *list[] = {name, file, count, verbose, quiet, 0};
    int is_verbose = 0, is_quiet = 0, number = 0, option;
    struct option options[] = {
        {"count", required_argument, 0, 'c'}, {"verbose", no_argument, &is_verbose, 1}, {0, 0, 0, 0}};
    while ((option = getopt_long(5, list, "c:q", options, 0)) != -1) {
        if (option == 'c') {
            number = atoi(optarg);
        } else if (option == 'q') {
            is_quiet = 1;
        } else {
            assert(option == 0);
        }
    }
    assert(number == 3 && is_verbose && is_quiet);
    assert(optind == 4 && list[optind] == file);
    return 0;
}
