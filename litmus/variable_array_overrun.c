/* One more than there is room for, in an array of variable length. */
static int last(int count) {
    int array[count];
    for (int at = 0; at < count; at++) {
        array[at] = at;
    }
    return array[count];
}

int main(void) {
    return last(2);
}
