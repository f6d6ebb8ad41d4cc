// A block that `case` enters ends like any other, and its objects with it.
int use(int step)
{
    int *kept = 0;
    switch (step) {
        int inner;
    case 1:
        inner = 5;
        kept = &inner;
        break;
    }
    return kept ? *kept : 0;
}

int main(void)
{
    return use(1);
}
