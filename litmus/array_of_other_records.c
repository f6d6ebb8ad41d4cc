// One array is seen as records of three words and as records of two: members of one are members of the
// other at other indices.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct wide {
    int *first;
    int *second;
    long number;
};
struct narrow {
    int *first;
    int *second;
};
struct wide records[3];
int cell;
int main(void)
{
    struct narrow *narrow = (struct narrow *)records;
    unsigned at = __VERIFIER_nondet_uint(), seen = __VERIFIER_nondet_uint();
    if (at >= 4 || seen >= 3)
        return 0;
    narrow[at].second = &cell;
    if (records[seen].first)
        *records[seen].first = 1;
    if (cell == 1)
        reach_error();
    return 0;
}
