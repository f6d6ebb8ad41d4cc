/* Folders: what is in them comes from outside. The entry that is read is kept with the folder until the next one is. */

_Bool __mazurka_any_bool(void);
char __mazurka_any_char(void);
unsigned __mazurka_any_unsigned(void);
long __mazurka_any_long(void);
int __mazurka_typical(const char *assumption);
int __mazurka_reads(void);
void __mazurka_assume(int condition);
void __mazurka_any_errno(void);
void *malloc(unsigned long size);
void free(void *memory);

enum { LITTLE = 7, LONGEST = 255 };

struct entry { unsigned long number; long offset; unsigned short size; unsigned char type; char name[LONGEST + 1]; };

static void *open_folder(void) {
    if (__mazurka_any_bool()) {
        __mazurka_any_errno();
        return (void *)0;
    }
    return malloc(sizeof(struct entry));
}

void *opendir(const char *path) {
    for (unsigned long at = 0; __mazurka_reads() && path[at]; at++) {
    }
    return open_folder();
}

void *fdopendir(int file) {
    (void)file;
    return open_folder();
}

static unsigned long any_length(void) {
    unsigned long length = 1;
    unsigned long most = __mazurka_typical("names of files are at most 7 characters long") ? LITTLE : LONGEST;
    while (length < most && __mazurka_any_bool()) {
        length++;
    }
    return length;
}

struct entry *readdir(struct entry *folder) {
    if (__mazurka_any_bool()) {
        __mazurka_any_errno();
        return (struct entry *)0;
    }
    folder->number = (unsigned long)__mazurka_any_long();
    folder->offset = __mazurka_any_long();
    folder->size = sizeof(struct entry);
    folder->type = (unsigned char)__mazurka_any_unsigned();
    unsigned long length = any_length();
    for (unsigned long at = 0; at < length; at++) {
        char c = __mazurka_any_char();
        __mazurka_assume(c != 0 && c != '/');
        folder->name[at] = c;
    }
    folder->name[length] = 0;
    return folder;
}

void rewinddir(struct entry *folder) {
    folder->offset = 0;
}

int closedir(struct entry *folder) {
    free(folder);
    return 0;
}
