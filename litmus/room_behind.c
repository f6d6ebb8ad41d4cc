/* More room is allocated behind the array at the end of a struct; one past the end may be named. */
#include <assert.h>
#include <stdlib.h>

struct text { int length; char letters[1]; };

static int numbers[2][2];

int main(void)
{
    struct text *text = malloc(sizeof *text + 4);
    for (int i = 0; i < 4; i++)
        text->letters[i] = 'a';
    assert(text->letters[3] == 'a');
    int count = 0;
    for (int *p = &numbers[0][0]; p != &numbers[1][2]; p++)
        count++;
    assert(count == 4);
    free(text);
    return 0;
}
