import {describe, expect, test} from 'vitest';
import {type BodyLimit, createBodyBudget} from '../../../source/webhooks/http/body-budget.ts';

const limits = {bodiesPerRoute: 2, totalBytes: 100, largeFromBytes: 20, largeBytes: 50, idleMilliseconds: 10};

type Step =
	| {readonly does: 'enter' | 'discard'; readonly route: string; readonly at: number}
	| {readonly does: 'arrive'; readonly id: number; readonly bytes: number; readonly at: number}
	| {readonly does: 'leave'; readonly id: number};

const enter = (route: string, at = 0): Step => ({does: 'enter', route, at});
const discard = (route: string): Step => ({does: 'discard', route, at: 0});
const arrive = (id: number, bytes: number, at = 0): Step => ({does: 'arrive', id, bytes, at});
const leave = (id: number): Step => ({does: 'leave', id});

/** The end of the last step; bodies have the numbers 1, 2, 3 in the order in which they entered. */
function play(steps: readonly Step[]) {
	const budget = createBodyBudget(limits);
	let end: object = {};
	for (const step of steps) {
		if (step.does === 'arrive') {
			end = budget.arrive(step.id, step.bytes, step.at);
		} else if (step.does === 'leave') {
			budget.leave(step.id);
		} else {
			end = budget.enter(step.route, step.does === 'enter' ? 'read' : 'discarded', step.at);
		}
	}

	return {...end, held: budget.heldBytes()};
}

const ended = (limit: BodyLimit, ...ids: readonly number[]) => ({ended: ids.map(id => ({id, limit}))});

describe('the number of bodies of a route', () => {
	test.each([
		{what: 'has room', steps: [enter('r'), enter('r')], end: {id: 2, ended: []}},
		{what: 'counts each route alone', steps: [enter('r'), enter('r'), enter('s')], end: {id: 3, ended: []}},
		{what: 'ends the first', steps: [enter('r'), enter('r'), enter('r')], end: {id: 3, ...ended('bodies', 1)}},
		{
			what: 'ends the one without data for longest',
			steps: [enter('r'), enter('r'), arrive(1, 1), enter('r')],
			end: {id: 3, ...ended('bodies', 2)},
		},
		{
			what: 'ends a discarded one first, also of another time',
			steps: [enter('r'), discard('r'), enter('r')],
			end: {id: 3, ...ended('bodies', 2)},
		},
		{what: 'has no room to discard', steps: [enter('r'), enter('r'), discard('r')], end: {id: undefined, ended: []}},
		{
			what: 'has room to discard in place of an older one',
			steps: [enter('r'), discard('r'), discard('r')],
			end: {id: 3, ...ended('bodies', 2)},
		},
		{what: 'has room again', steps: [enter('r'), enter('r'), leave(1), enter('r')], end: {id: 3, ended: []}},
	])('$what', ({steps, end}) => {
		expect(play(steps)).toMatchObject(end);
	});
});

/** Three bodies of one route each. */
const three = [enter('a'), enter('b'), enter('c')];

describe('the bytes of bodies', () => {
	test.each([
		{what: 'are held', steps: [...three, arrive(1, 20), arrive(2, 20)], end: {ended: [], held: 40}},
		{what: 'are free once a body left', steps: [enter('a'), arrive(1, 20), leave(1)], end: {held: 0}},
		{
			what: 'of a body that left count no more',
			steps: [enter('a'), leave(1), arrive(1, 20)],
			end: {ended: [], held: 0},
		},
		{
			what: 'beyond the part for large ones are refused while nobody is idle',
			steps: [...three, arrive(1, 60), arrive(2, 30), arrive(3, 21)],
			end: {ended: [], refused: 'large', held: 90},
		},
		{
			what: 'beyond the part for large ones end the longest idle large upload',
			steps: [...three, arrive(2, 60), arrive(1, 30, 1), arrive(3, 21, 11)],
			end: {...ended('large', 2), held: 51},
		},
		{
			what: 'beyond the part for large ones leave an idle small upload alone',
			steps: [...three, arrive(2, 20), arrive(1, 70, 10), arrive(3, 21, 10)],
			end: {ended: [], refused: 'large', held: 90},
		},
		{
			what: 'of a single body beyond the part for large ones are refused',
			steps: [enter('a'), arrive(1, 71)],
			end: {ended: [], refused: 'large', held: 0},
		},
		{
			what: 'end several idle uploads where one is not enough',
			steps: [...three, enter('d'), arrive(1, 40), arrive(2, 30, 1), arrive(3, 25, 2), arrive(4, 65, 20)],
			end: {...ended('large', 1, 2), held: 90},
		},
	])('$what', ({steps, end}) => {
		expect(play(steps)).toMatchObject(end);
	});

	test('of all bodies together are bounded, whatever their number', () => {
		const small = Array.from({length: 6}, (_, index) => enter(`r${index}`));
		const full = [...small, ...[1, 2, 3, 4, 5].map(id => arrive(id, 20, id))];
		expect(play([...full, arrive(6, 1, 10)])).toMatchObject({ended: [], refused: 'total', held: 100});
		expect(play([...full, arrive(6, 1, 11)])).toMatchObject({...ended('total', 1), held: 81});
	});

	test('are not freed by the end of a body that holds none', () => {
		const small = Array.from({length: 7}, (_, index) => enter(`r${index}`));
		const full = [...small, ...[2, 3, 4, 5, 6].map(id => arrive(id, 20, id))];
		expect(play([...full, arrive(7, 1, 12)])).toMatchObject({...ended('total', 2), held: 81});
	});
});

describe('a large body', () => {
	test.each([
		{what: 'is the only one of its route', at: 9, end: {ended: [], refused: 'large-of-route', held: 21}},
		{what: 'takes the place of an idle one of its route', at: 10, end: {...ended('large-of-route', 1), held: 21}},
	])('$what', ({at, end}) => {
		expect(play([enter('r'), enter('r'), arrive(1, 21), arrive(2, 20, 1), arrive(2, 1, at)])).toMatchObject(end);
	});

	test('of another route is none of its business', () => {
		expect(play([enter('r'), enter('s'), arrive(1, 21), arrive(2, 21)])).toEqual({ended: [], held: 42});
	});
});
