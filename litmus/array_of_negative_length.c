/* An array of negative length is undefined. For memory safety it has no elements: what is reported is
   the access. */
int main(void)
{
    int count = -1;
    int cells[count];
    for (int i = 0; i < count; i++)
        cells[i] = i;
    return 0;
}
