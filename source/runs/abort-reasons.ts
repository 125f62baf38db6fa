import {Problem} from '../util/problem.ts';

/** Why the signal of a run aborts when a person wants it to end. */
export const cancelledByPerson = new Problem('cancelled', {message: 'cancelled by a person'});

/** Why it aborts when the gateway stops: at once for a run that has not asked its model yet, for the others after the time they are given. */
export const gatewayStopped = new Problem('cancelled', {message: 'the gateway stopped'});
