//! `<stdio.h>`.

use super::Effect::{Fills, Items, Object, Text, TextOrNull};
use super::Meaning::Prints;
use super::{
    CALLS, POINTS, Row, VARIABLE, WRITES, character, in_c, is, number, outside, refused, status,
    steps, up_to,
};

const INPUT: &str = "lib/input.c";
const FORMAT: &str = "lib/format.c";

pub(super) const ROWS: &[Row] = &[
    status(&[Text(0)], "remove"),
    status(&[Text(0), Text(1)], "rename"),
    status(&[Text(1), Text(3)], "renameat renameat2"),
    status(
        &[],
        "fflush fflush_unlocked fcloseall fseek fseeko fseeko64",
    ),
    outside(
        &[],
        "setlinebuf getw rewind clearerr feof ferror clearerr_unlocked \
         feof_unlocked ferror_unlocked __uflow __overflow",
    ),
    refused(
        WRITES,
        "tmpnam tmpnam_r fmemopen open_memstream __asprintf gets ctermid cuserid obstack_printf",
    ),
    in_c("lib/lines.c", "__getdelim getdelim getline"),
    refused(POINTS, "tempnam"),
    in_c(
        "lib/streams.c",
        "fopen fopen64 popen fdopen tmpfile tmpfile64 fclose pclose",
    ),
    refused(
        "opens a stream anew, which is not modelled",
        "freopen freopen64",
    ),
    refused(CALLS, "fopencookie"),
    steps("setbuf setvbuf setbuffer"),
    is(super::Meaning::Steps(Some(INPUT)), "fscanf scanf sscanf"),
    is(Prints(1), "fprintf dprintf __printf_chk"),
    is(Prints(0), "printf"),
    is(
        super::Meaning::Steps(Some(FORMAT)),
        "sprintf snprintf __sprintf_chk __snprintf_chk",
    ),
    in_c(
        FORMAT,
        "asprintf vasprintf vsnprintf vsprintf vprintf vfprintf vdprintf",
    ),
    refused(VARIABLE, "vfscanf vscanf vsscanf obstack_vprintf"),
    is(Prints(2), "__fprintf_chk __dprintf_chk"),
    in_c(
        INPUT,
        "fgetc getc getchar getc_unlocked getchar_unlocked fgetc_unlocked fgets fgets_unlocked \
         fread fread_unlocked",
    ),
    character(
        0,
        "fputc putc putchar fputc_unlocked putc_unlocked putchar_unlocked ungetc",
    ),
    number(&[], "putw ftell ftello ftello64 fileno fileno_unlocked"),
    number(&[Text(0)], "fputs puts fputs_unlocked"),
    up_to(2, &[Items(0, 1, 2)], "fwrite fwrite_unlocked"),
    status(&[Fills(1)], "fgetpos fgetpos64"),
    status(&[Object(1)], "fsetpos fsetpos64"),
    outside(&[TextOrNull(0)], "perror"),
    refused(
        "locks a stream, which is not modelled",
        "flockfile ftrylockfile funlockfile",
    ),
];
