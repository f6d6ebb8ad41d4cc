/* The first element of an array that has none. */
int main(void)
{
    int count = -1;
    int cells[count];
    cells[0] = 1;
    return 0;
}
