/* Scans a tree of files with several threads, and compares the counts with what was put into it.
 *
 * The macros give the size: large for a run, small for a proof.
 *     WORKERS   threads that scan, apart from main
 *     DEPTH     folders within each other, the root included
 *     FOLDERS   folders in each folder that is not one of the deepest
 *     FILES     files in each folder
 *     LIMIT     matches after which the scan may end, or SCAN_ALL
 * With SHORT_TEXT there is only one word in each file.
 */
#include "scanner.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef WORKERS
#define WORKERS 8
#endif
#ifndef DEPTH
#define DEPTH 6
#endif
#ifndef FOLDERS
#define FOLDERS 5
#endif
#ifndef FILES
#define FILES 10
#endif
#ifndef LIMIT
#define LIMIT SCAN_ALL
#endif
#ifdef SHORT_TEXT
#define WANTED "a"
#define TEXT "A\n"
#define TEXT_LINES 1
#define TEXT_WORDS 1
#define TEXT_MATCHES 1
#else
#define WANTED "dance"
#define TEXT "A dance in triple time,\nDance and dancer\n  DANCE\n"
#define TEXT_LINES 3
#define TEXT_WORDS 9
#define TEXT_MATCHES 3
#endif

static struct node *check_memory(struct node *node)
{
    if (node == NULL)
        abort();
    return node;
}

/* The same text is in each file, so that all counts follow from the number of files. */
static struct counts expected_counts(unsigned long files)
{
    return (struct counts){ files, files * TEXT_LINES, files * TEXT_WORDS, files * TEXT_MATCHES };
}

/* Fills a folder and those below it; returns how many files there are now. */
static unsigned long fill(struct node *folder, int depth)
{
    unsigned long files = FILES;

    for (int i = 0; i < FILES; i++)
        check_memory(tree_add_file(folder, "file", TEXT));
    if (depth > 1)
        for (int i = 0; i < FOLDERS; i++)
            files += fill(check_memory(tree_add_folder(folder, "folder")), depth - 1);
    return files;
}

int main(void)
{
    const unsigned long limit = LIMIT;
    struct node *root = check_memory(tree_add_folder(NULL, "root"));
    unsigned long files = fill(root, DEPTH);

    struct scan *scan = scan_start(root, WANTED, WORKERS, limit);
    if (scan == NULL)
        return EXIT_FAILURE;
    unsigned long progress = scan_progress(scan);
    struct counts total = scan_finish(scan);

    assert(progress <= total.files);
    assert(counts_equal(total, expected_counts(total.files)));
    if (limit == SCAN_ALL)
        assert(total.files == files);
    else
        assert(total.matches >= limit && total.files <= files);
    tree_free(root);
    printf("%lu files of %lu, %lu lines, %lu words, %lu matches\n", total.files, files, total.lines,
           total.words, total.matches);
    return EXIT_SUCCESS;
}
