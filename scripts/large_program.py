#!/usr/bin/env python3
"""Writes a C program of about so many lines, for measuring how the cost of reading one grows.

    python3 scripts/large_program.py 10000 > large.c

It has modules of the same form, so that the cost per line should not depend on the number of lines: each has a
structure with a lock, a small array, functions that call those of the same module, one of which is called with
pointers to several structures, and a start routine for a thread. `main` starts one thread for each of the first
modules and calls the others itself. It has no data race, and its assertions hold.
"""

import sys

MODULE = """
struct account_{m} {{
    pthread_mutex_t lock;
    int balance;
    unsigned moves;
    struct account_{m} *next;
}};

static struct account_{m} first_{m}, second_{m};
static int history_{m}[8];
static unsigned used_{m};

static int limit_{m}(int amount)
{{
    if (amount < 0)
        return 0;
    if (amount > {limit})
        return {limit};
    return amount;
}}

static void note_{m}(int amount)
{{
    history_{m}[used_{m} % 8] = amount;
    used_{m} = used_{m} + 1;
}}

static int add_{m}(struct account_{m} *account, int amount)
{{
    int result;
    amount = limit_{m}(amount);
    pthread_mutex_lock(&account->lock);
    account->balance = account->balance + amount;
    account->moves++;
    result = account->balance;
    pthread_mutex_unlock(&account->lock);
    return result;
}}

static int sum_{m}(struct account_{m} *account)
{{
    int sum = 0;
    for (int i = 0; i < 2 && account; i++) {{
        pthread_mutex_lock(&account->lock);
        sum += account->balance;
        pthread_mutex_unlock(&account->lock);
        account = account->next;
    }}
    return sum;
}}

static int work_{m}(int amount)
{{
    int before, after;
    first_{m}.next = &second_{m};
    before = sum_{m}(&first_{m});
    add_{m}(&first_{m}, amount);
    add_{m}(&second_{m}, limit_{m}(amount - 1));
    after = sum_{m}(&first_{m});
    if (after - before > {limit})
        note_{m}(after);
    else
        note_{m}(before);
    return after;
}}

static void *thread_{m}(void *arg)
{{
    int amount = (int)(long)arg;
    work_{m}(amount);
    return 0;
}}
"""

HEAD = """#include <pthread.h>
#include <assert.h>
"""

LINES_OF_MODULE = MODULE.count("\n") + 1
THREADS = 2


def main():
    """Prints the program."""
    lines = int(sys.argv[1])
    modules = max(THREADS, lines // LINES_OF_MODULE)
    print(HEAD)
    for number in range(modules):
        print(MODULE.format(m=number, limit=100 + number % 7))
    print("int main(void)\n{")
    print(f"    pthread_t threads[{THREADS}];")
    for number in range(THREADS):
        print(f"    pthread_create(&threads[{number}], 0, thread_{number}, (void *){number}L);")
    for number in range(THREADS, modules):
        print(f"    work_{number}({number % 9});")
    for number in range(THREADS):
        print(f"    pthread_join(threads[{number}], 0);")
    print("    return 0;\n}")


if __name__ == "__main__":
    main()
