/* A tree of folders and files that is held in memory. It is built by one thread and does not change
 * while others look at it. */
#ifndef TREE_H
#define TREE_H

#include <stdbool.h>

struct node {
    const char *name;
    const char *text;   /* what is in the file; NULL for a folder */
    struct node *first; /* the newest entry of the folder, NULL if it is empty */
    struct node *next;  /* the next entry of the same folder, NULL for the last one */
};

/* Adds an entry to a folder; the root has the folder NULL. Names and texts are not copied. NULL if
 * there is no memory. */
struct node *tree_add_folder(struct node *folder, const char *name);
struct node *tree_add_file(struct node *folder, const char *name, const char *text);

bool tree_is_folder(const struct node *node);

/* Frees a node and everything below it. */
void tree_free(struct node *node);

#endif
