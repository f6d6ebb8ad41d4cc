/* A pointer to an array of variable length that is gone. */
int main(void) {
    int count = 2;
    int *kept;
    {
        int array[count];
        array[0] = 1;
        kept = array;
    }
    return *kept;
}
