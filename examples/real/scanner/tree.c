#include "tree.h"

#include <assert.h>
#include <stdlib.h>

static struct node *add_node(struct node *folder, const char *name, const char *text)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        return NULL;
    node->name = name;
    node->text = text;
    node->first = NULL;
    node->next = NULL;
    if (folder != NULL) {
        assert(tree_is_folder(folder));
        node->next = folder->first;
        folder->first = node;
    }
    return node;
}

struct node *tree_add_folder(struct node *folder, const char *name)
{
    return add_node(folder, name, NULL);
}

struct node *tree_add_file(struct node *folder, const char *name, const char *text)
{
    assert(text != NULL);
    return add_node(folder, name, text);
}

bool tree_is_folder(const struct node *node)
{
    return node->text == NULL;
}

void tree_free(struct node *node)
{
    while (node->first != NULL) {
        struct node *entry = node->first;
        node->first = entry->next;
        tree_free(entry);
    }
    free(node);
}
