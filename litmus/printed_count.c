/* `%n` stores how much was printed; `snprintf` stores what is printed, as far as there is room. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    int count = 7;
    printf("abc%n%d\n", &count, 5);
    assert(count == 3);
    char text[4] = "###";
    int length = snprintf(text, 4, "%d%s", -12, "xy");
    assert(length == 5);
    assert(text[0] == '-' && text[1] == '1' && text[2] == '2' && text[3] == 0);
    return 0;
}
