/* SPDX-License-Identifier: MIT */
/* status.h: one list of everything that can go wrong, with the sentence a user reads.
 *
 * A function that cannot fail returns nothing. A function that can fail returns a lie_status; on any
 * status but LIE_OK its outputs are exactly as they were before the call. */
#ifndef LIESTEP_STATUS_H
#define LIESTEP_STATUS_H

#ifdef __cplusplus
#define LIE_BEGIN_DECLS extern "C" {
#define LIE_END_DECLS }
#else
#define LIE_BEGIN_DECLS
#define LIE_END_DECLS
#endif

#if defined(__GNUC__)
#define LIE_API __attribute__((visibility("default")))
#else
#define LIE_API
#endif

/* name, value, what happened and what to do about it */
#define LIE_STATUS_LIST(X)                                                                                             \
    X(LIE_OK, 0, "success")                                                                                            \
    X(LIE_ERR_NOT_FINITE, 1, "an input is NaN, infinite, or so large that its square overflows")                       \
    X(LIE_ERR_DOMAIN, 2, "the argument lies outside the domain of the map (see the header for the domain)")            \
    X(LIE_ERR_NOT_IN_GROUP, 3, "the input is not an element of the group; project it first (lie_<group>_project)")     \
    X(LIE_ERR_SINGULAR, 4,                                                                                             \
      "the matrix is singular to working precision, or the quaternion is 0: no result is defined")                     \
    X(LIE_ERR_SIZE, 5, "a dimension or count is zero, negative or larger than this function supports")                 \
    X(LIE_ERR_INCOMPLETE, 6, "a required part of a group or system description is missing (a null pointer)")           \
    X(LIE_ERR_UNKNOWN_NAME, 7,                                                                                         \
      "no built-in group, retraction, method or tableau has this name (see the _builtin lists)")                       \
    X(LIE_ERR_NO_CONVERGENCE, 8, "the iteration reached its cap before it converged")                                  \
    X(LIE_ERR_MEMORY, 9, "the memory handed over is null, misaligned or smaller than the _memsize function says")      \
    X(LIE_ERR_INERTIA, 10, "the inertia matrix is not symmetric positive definite")                                    \
    X(LIE_ERR_STEP_SIZE, 11, "the step h is zero or not finite; give a number, negative to go back in time")           \
    X(LIE_ERR_TIME, 12, "t + h equals t in double precision: the step is too small for this time; restart t at 0")     \
    X(LIE_ERR_METHOD, 13, "the method is not for this system or group: see what it needs (liestep methods NAME)")      \
    X(LIE_ERR_TABLEAU, 14, "the tableau is missing, not finite, has too many stages, or a weight b_i = 0 in vprk")     \
    X(LIE_STOPPED, 15, "the observer asked to stop; the state is the one it saw")                                      \
    X(LIE_ERR_TOLERANCE, 16, "a tolerance is negative or not finite, or absolute and relative are both zero")          \
    X(LIE_ERR_STEP_UNDERFLOW, 17, "the tolerance asks for a step shorter than h_min or than the spacing of the time")  \
    X(LIE_ERR_TOO_MANY_STEPS, 18, "max_steps steps were tried before the end of the run; call again to go on")         \
    X(LIE_ERR_HORIZON, 19, "the time T of the manoeuvre is not a positive number, or its limits are no interval")      \
    X(LIE_ERR_INTERVALS, 20, "a manoeuvre needs at least 2 intervals; 20 or more give a useful accuracy")              \
    X(LIE_ERR_INPUTS, 21, "there is no input, or one that does not act: add actuators, or a wrench that is not zero")  \
    X(LIE_ERR_BOUNDS, 22, "the bounds on an input contradict each other: min must be below max")                       \
    X(LIE_ERR_COST, 23, "a weight of the cost is negative, or an input costs nothing: give it a weight or fuel")       \
    X(LIE_ERR_GUESS, 24, "the first guess is not finite or leaves the domain of the retraction: give another one")     \
    X(LIE_ERR_UNREACHABLE, 25,                                                                                         \
      "the inputs cannot reach the target along this path: add inputs, widen bounds, take more T, or bend the guess")  \
    X(LIE_ERR_OPTIONAL, 26,                                                                                            \
      "Ipopt is not on this machine (Debian: coinor-libipopt-dev); lie_control_solve needs none")                      \
    X(LIE_ERR_BOUNDARY, 27,                                                                                            \
      "too many conditions at one end of the manoeuvre, or a set without a function: free some components")            \
    X(LIE_ERR_LAGRANGIAN, 28,                                                                                          \
      "a manoeuvre needs a system with an inertia matrix: give 1/2 <I xi, xi> + <A(g), xi> - V(g), or forces")         \
    X(LIE_ERR_VERSION, 29, "the program was compiled with headers of another version than the library's: compile again")

LIE_BEGIN_DECLS

typedef enum lie_status {
#define LIE_STATUS_ENUM(name, value, text) name = value,
    LIE_STATUS_LIST(LIE_STATUS_ENUM)
#undef LIE_STATUS_ENUM
} lie_status;

/* The sentence of a status; never null, also for a value that is no status. Static storage. */
LIE_API const char *lie_status_text(lie_status status);

/* The identifier of a status, "LIE_ERR_DOMAIN"; never null. Static storage. */
LIE_API const char *lie_status_name(lie_status status);

LIE_END_DECLS

#endif
