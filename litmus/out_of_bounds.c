/* An access just behind an array. */

static int cells[4];

int main(void)
{
    int *at = cells;
    for (int i = 0; i <= 4; i++)
        *at++ = i;
    return 0;
}
