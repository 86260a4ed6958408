/* SPDX-License-Identifier: MIT */
/* scenario_target.c: where an optimal manoeuvre ends, which inputs it has and what they cost. */
#include <math.h>
#include <string.h>

#include "cli/scenario/scenario_reading.h"

static void read_attitude(reading *r, double *q)
{
    double e[3], given[4] = {1.0, 0.0, 0.0, 0.0};
    if (is_given(r, target_quaternion)) numbers_of(r, target_quaternion, 4, given);
    if (lie_s3_project(q, given) != LIE_OK) complain(r, target_quaternion, "is no attitude");
    if (is_given(r, target_euler_zyx_deg)) {
        numbers_of(r, target_euler_zyx_deg, 3, e);
        for (int i = 0; i < 3; i++) e[i] *= 3.14159265358979323846 / 180.0;
        lie_euler_zyx_to_quat(q, e);
    }
    if (is_given(r, target_rotvec)) {
        numbers_of(r, target_rotvec, 3, e);
        lie_rotvec_to_quat(q, e);
    }
    if (!isfinite(q[0])) complain(r, key_target, "its attitude is too large to be one");
}

/* g and xi in the layout of the group, as scenario_start.c reads them */
static void read_state(reading *r)
{
    const lie_ops *G = r->out->system.group;
    double *g = r->out->target.g, *xi = r->out->target.xi, q[4] = {1.0, 0.0, 0.0, 0.0};
    if (G->dim == 2) {
        numbers_of(r, target_position, 2, g);
        numbers_of(r, target_velocity, 2, xi);
        return;
    }
    read_attitude(r, q);
    if (G->size == 4)
        memcpy(g, q, sizeof q);
    else
        lie_quat_to_matrix(g, q);
    numbers_of(r, target_angular_velocity, 3, xi);
    if (G->dim == 6) {
        numbers_of(r, target_position, 3, g + 9);
        numbers_of(r, target_velocity, 3, xi + 3);
    }
}

/* What is given, else the thrusters of the vehicle, else a unit wrench along every axis */
static void read_inputs(reading *r)
{
    lie_actuation *a = &r->out->target.inputs;
    const key_value *given = &r->store->values.of[target_inputs], *places = &r->store->values.of[parameters_thrusters];
    int dim = r->out->system.group->dim;
    *a = (lie_actuation){.base = r->out->system};
    if (given->any) {
        a->count = (int)given->count / dim;
        if (given->count == 0 || (int)given->count % dim != 0)
            complain(r, target_inputs, "has %u numbers; an input has %d, so give a multiple of it", given->count, dim);
        for (int i = 0; i < a->count * dim && a->count <= LIE_ACTUATORS_MAX; i++)
            a->actuator[i / dim].wrench[i % dim] = given->number[i];
        if (a->count > LIE_ACTUATORS_MAX) complain(r, target_inputs, "has more than %d inputs", LIE_ACTUATORS_MAX);
    } else if (places->any && places->count > 0) {
        a->count = (int)places->count;
        for (int i = 0; i < a->count; i++) {
            a->actuator[i].kind = LIE_THRUSTER;
            memcpy(a->actuator[i].at, places->place[i].at, sizeof a->actuator[i].at);
            memcpy(a->actuator[i].along, places->place[i].along, sizeof a->actuator[i].along);
        }
    } else if (!r->store->values.of[target_wheels].any) {
        a->count = dim;
        for (int i = 0; i < dim; i++) a->actuator[i].wrench[i] = 1.0;
    }
}

/* Momenta of the wheels: one number for all, or one each */
static int read_momenta(reading *r, key_id key, double *out)
{
    const key_value *v = &r->store->values.of[key];
    int wheels = r->out->target.wheels;
    if (!v->any) return 0;
    r->out->target.wants_wheels = 1;
    if (wheels > 0 && (int)v->count != 1 && (int)v->count != wheels)
        complain(r, key, "has %u numbers; there are %d wheels: give one number, or one each", v->count, wheels);
    for (int i = 0; i < wheels && r->errors == 0; i++) out[i] = v->number[v->count == 1 ? 0 : i];
    return 1;
}

/* Wheels as actuators behind the others */
static void read_wheels(reading *r)
{
    lie_actuation *a = &r->out->target.inputs;
    const key_value *axes = &r->store->values.of[target_wheels];
    int count = axes->any ? (int)axes->count / 3 : 0;
    if (axes->any && (axes->count == 0 || axes->count % 3 != 0))
        complain(r, target_wheels, "has %u numbers; an axis has 3, so give a multiple of it", axes->count);
    if (count > LIE_CONTROL_WHEELS)
        complain(r, target_wheels, "has %d axes; at most %d wheels are possible", count, (int)LIE_CONTROL_WHEELS);
    if (count + a->count > LIE_ACTUATORS_MAX)
        complain(r, target_wheels, "there are more than %d inputs with them", (int)LIE_ACTUATORS_MAX);
    for (int i = 0; i < count && r->errors == 0; i++) {
        const double *along = axes->number + 3 * i;
        double size = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
        lie_actuator *wheel = &a->actuator[a->count++];
        *wheel = (lie_actuator){.kind = LIE_WHEEL};
        if (!(size > 0.0) || !isfinite(size)) complain(r, target_wheels, "axis %d has no direction", i + 1);
        for (int k = 0; k < 3; k++) wheel->along[k] = along[k] / size;
    }
    r->out->target.wheels = count;
    read_momenta(r, target_wheels_start, r->out->target.stored);
    r->out->target.empties = read_momenta(r, target_wheels_end, r->out->target.left);
}

static void read_flags(const reading *r, key_id key, int *out)
{
    const key_value *v = &r->store->values.of[key];
    for (unsigned i = 0; v->any && i < v->count && i < LIE_DIM_MAX; i++) out[i] = v->number[i] != 0.0;
}

static void read_time(reading *r)
{
    double span[2] = {0.0, 0.0};
    numbers_of(r, target_time, 2, span);
    if (is_given(r, target_time) && !(span[0] < span[1]))
        complain(r, target_time, "is [%g, %g]; the shortest duration comes first", span[0], span[1]);
    r->out->target.shortest = span[0], r->out->target.longest = span[1];
}

/* One number for all inputs, or one each; 0: nothing is given */
static int read_each(reading *r, key_id key, double *out)
{
    const key_value *v = &r->store->values.of[key];
    int count = r->out->target.inputs.count;
    if (!v->any) return 0;
    if ((int)v->count != 1 && (int)v->count != count)
        complain(r, key, "has %u numbers; there are %d inputs: give one number, or one each", v->count, count);
    for (int i = 0; i < count && r->errors == 0; i++) out[i] = v->number[v->count == 1 ? 0 : i];
    return 1;
}

bool target_build(reading *r)
{
    scenario *s = r->out;
    double limit[LIE_ACTUATORS_MAX] = {0.0};
    for (int k = 0; k < KEYS; k++)
        s->target.given |= is_given(r, (key_id)k) && (k == key_target || scenario_keys[k].parent == key_target);
    if (!s->target.given) return true;
    read_state(r);
    read_inputs(r);
    read_wheels(r);
    read_time(r);
    if (r->errors > 0) return false;
    read_flags(r, target_free_pose, s->target.free_pose);
    read_flags(r, target_free_velocity, s->target.free_velocity);
    read_flags(r, target_free_start_pose, s->target.free_start_pose);
    read_flags(r, target_free_start_velocity, s->target.free_start_velocity);
    for (int i = 0; i < LIE_DIM_MAX; i++) s->target.free_velocity[i] |= flag_of(r, target_any_velocity);
    s->target.starts = (int)fmin(number_of(r, target_starts), 1000.0);
    s->target.has_weight = read_each(r, target_weight, s->target.weight);
    s->target.has_fuel = read_each(r, target_fuel, s->target.fuel);
    read_each(r, target_limit, limit);
    for (int i = 0; i < s->target.inputs.count; i++)
        s->target.inputs.actuator[i].min = -limit[i], s->target.inputs.actuator[i].max = limit[i];
    return r->errors == 0;
}
