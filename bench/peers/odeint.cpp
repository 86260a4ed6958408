/* SPDX-License-Identifier: MIT */
/* odeint.cpp: steppers of Boost.odeint on std::array, with the equations of motion inlined, as its users write them. */
#include "peers.h"

#include <boost/numeric/odeint.hpp>
#include <boost/version.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <new>

namespace
{
namespace odeint = boost::numeric::odeint;

/* What peer.h wants, for any stepper. */
struct runner {
    virtual ~runner() = default;
    virtual int advance(double t) = 0;
    virtual void state(double *y) const = 0;
};

typedef void rate_fn(double *dy, const double *y, const rate_problem *p);

template <std::size_t N, rate_fn *Rate> struct equations {
    typedef std::array<double, N> vector;
    const rate_problem *problem;
    void operator()(const vector &y, vector &dy, double) const
    {
        if (problem->calls) ++*problem->calls;
        Rate(dy.data(), y.data(), problem);
    }
};

template <std::size_t N, rate_fn *Rate, class Stepper> struct fixed_runner : runner {
    equations<N, Rate> f;
    typename equations<N, Rate>::vector y;
    Stepper stepper;
    double t = 0.0, h;
    fixed_runner(const rate_problem *p, const double *start, double step) : f{p}, h(step)
    {
        std::memcpy(y.data(), start, sizeof y);
    }
    int advance(double to) override
    {
        for (long long n = std::llround((to - t) / h); n > 0; n--) stepper.do_step(f, y, 0.0, h);
        t = to;
        return 0;
    }
    void state(double *out) const override
    {
        std::memcpy(out, y.data(), sizeof y);
    }
};

template <std::size_t N, rate_fn *Rate, class Stepper> struct controlled_runner : runner {
    typedef decltype(odeint::make_controlled(1.0, 1.0, Stepper())) controlled;
    equations<N, Rate> f;
    typename equations<N, Rate>::vector y;
    controlled stepper;
    double t = 0.0, dt = 1e-3;
    controlled_runner(const rate_problem *p, const double *start, double tolerance)
        : f{p}, stepper(odeint::make_controlled(tolerance, tolerance, Stepper()))
    {
        std::memcpy(y.data(), start, sizeof y);
    }
    /* A step that was cut short to end at `to` says nothing about the next one. */
    int advance(double to) override
    {
        while (t < to) {
            double wanted = dt;
            bool cut = t + dt > to;
            if (cut) dt = to - t;
            if (dt < 1e-14 * to && !cut) return 1;
            bool taken = stepper.try_step(f, y, t, dt) == odeint::success;
            if (cut && taken) {
                t = to;
                dt = wanted;
            }
        }
        return 0;
    }
    void state(double *out) const override
    {
        std::memcpy(out, y.data(), sizeof y);
    }
};

template <std::size_t N> using rk4 = odeint::runge_kutta4<std::array<double, N>>;
template <std::size_t N> using dopri5 = odeint::runge_kutta_dopri5<std::array<double, N>>;
template <std::size_t N> using rkf78 = odeint::runge_kutta_fehlberg78<std::array<double, N>>;

/* The runner with the equations of the problem compiled in. */
template <template <std::size_t, rate_fn *, class> class Runner, template <std::size_t> class Stepper>
void *open(const rate_problem *p, const double *y, double knob)
{
    switch (p->kind) {
#define CASE(name, shape, length, diagonal, forced, general)                                                           \
    case RATE_##name:                                                                                                  \
        return new (std::nothrow) Runner<length, rate_##name, Stepper<length>>(p, y, knob);
        RATE_LIST(CASE)
#undef CASE
    default:
        return nullptr;
    }
}

int advance(void *self, double t)
{
    return static_cast<runner *>(self)->advance(t);
}

void state(const void *self, double *y)
{
    static_cast<const runner *>(self)->state(y);
}

void close_runner(void *self)
{
    delete static_cast<runner *>(self);
}

constexpr const char *library = "Boost.odeint " BOOST_LIB_VERSION;
} // namespace

const peer peer_odeint_rk4 = {
    "odeint_rk4", library,     "classical Runge-Kutta, fixed step", 4, 0, nullptr, open<fixed_runner, rk4>, advance,
    state,        close_runner};
const peer peer_odeint_dopri5 = {"odeint_dopri5",
                                 library,
                                 "Dormand & Prince 5(4), adaptive",
                                 5,
                                 1,
                                 nullptr,
                                 open<controlled_runner, dopri5>,
                                 advance,
                                 state,
                                 close_runner};
const peer peer_odeint_rkf78 = {
    "odeint_rkf78", library,     "Fehlberg 8(7), adaptive", 8, 1, nullptr, open<controlled_runner, rkf78>, advance,
    state,          close_runner};
const peer peer_odeint_rkf78_fixed = {"odeint_rkf78_fixed",
                                      library,
                                      "Fehlberg 8(7), fixed step",
                                      8,
                                      0,
                                      nullptr,
                                      open<fixed_runner, rkf78>,
                                      advance,
                                      state,
                                      close_runner};
