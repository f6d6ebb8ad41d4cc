# Checks of targets with Mazurka, as tests of CTest.
#
#   list(APPEND CMAKE_MODULE_PATH "${CMAKE_SOURCE_DIR}/cmake")   # the folder with this file
#   include(Mazurka)
#   enable_testing()
#   mazurka_add_check(TARGET [PROPERTY reach,race] [TIMEOUT 60s] [NAME name] [OPTIONS ...])
#
# The check has the C files, include folders, macros and the edition of C of the target, also those that it has from the
# libraries that it is linked with. `ctest` runs it; an answer of *unknown* fails, unless OPTIONS has `--fail-on unsafe`.

find_program(MAZURKA mazurka DOC "The verifier Mazurka")

function(mazurka_add_check target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;PROPERTY;TIMEOUT" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mazurka_add_check: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT MAZURKA)
    message(STATUS "Mazurka is not installed: no check of ${target}")
    return()
  endif()
  if(NOT arg_NAME)
    set(arg_NAME "mazurka.${target}")
  endif()
  if(NOT arg_PROPERTY)
    set(arg_PROPERTY "reach,race")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT "60s")
  endif()

  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  set(files "")
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.c$")
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}")
      list(APPEND files "${source}")
    endif()
  endforeach()
  set(folders "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(macros "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(include "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>")
  set(define "$<$<BOOL:${macros}>:-D$<JOIN:${macros},;-D>>")
  get_target_property(standard ${target} C_STANDARD)
  get_target_property(extensions ${target} C_EXTENSIONS)
  set(edition "")
  if(standard)
    set(edition "-std=gnu${standard}")
    if(DEFINED extensions AND NOT extensions AND NOT extensions STREQUAL "extensions-NOTFOUND")
      set(edition "-std=c${standard}")
    endif()
  endif()
  add_test(
    NAME "${arg_NAME}"
    COMMAND "${MAZURKA}" check --property "${arg_PROPERTY}" --timeout "${arg_TIMEOUT}" ${edition}
      "$<FILTER:--color=never;${include};${define},EXCLUDE,^$>" # without empty words
      ${arg_OPTIONS} ${files}
    WORKING_DIRECTORY "${folder}"
    COMMAND_EXPAND_LISTS)
endfunction()
