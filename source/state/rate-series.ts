/**
Counts of recent events, their failures and durations (docs/dashboard.md, Overview). Bounded in size and JSON-able. Times are milliseconds since the
epoch.
*/
export type RateSeries = {
	/** When it happened last; absent when it never did. */
	readonly lastAt?: number;
	/** The seconds of a minute and the minutes of an hour in which something happened, oldest first. */
	readonly seconds: readonly Slot[];
	readonly minutes: readonly Slot[];
	/** Durations of the latest thousand in rounded steps with their counts, shortest first. */
	readonly durations: readonly DurationCount[];
};

/** A second or a minute since the epoch, how much happened in it, and how much failed. */
export type Slot = readonly [index: number, count: number, failed: number];

/** A class of durations (`durationClass`), and how many fell into it. */
type DurationCount = readonly [name: number, count: number];

/** Something that happened, or a failure of what was counted before: then `count` is 0. */
export type RateSample = {
	readonly time: number;
	readonly count: 0 | 1;
	readonly failed: 0 | 1;
	/** Duration in milliseconds; absent if it would mean nothing. */
	readonly ms?: number;
};

/** The series of every route and server, by `rateKey`. */
export type Rates = {
	readonly routes: Readonly<Record<string, RateSeries>>;
	readonly servers: Readonly<Record<string, RateSeries>>;
};

export const secondMilliseconds = 1000;
export const minuteMilliseconds = 60_000;

/** Length of a series: as many seconds, and as many minutes. */
export const seriesSpan = 60;

/** Nothing has happened. */
export const emptySeries: RateSeries = {seconds: [], minutes: [], durations: []};

/** The name of a series: those of two profiles may share theirs. */
export function rateKey(profile: string, name: string): string {
	return `${profile}/${name}`;
}

/** A series that is being changed, so that many samples copy it once. */
export type SeriesDraft = {
	readonly add: (sample: RateSample) => void;
	/** Adds what an earlier series counted. */
	readonly join: (other: RateSeries) => void;
	readonly result: () => RateSeries;
};

/** Begins to change a series; the series itself stays as it is. */
export function draftSeries(series: RateSeries): SeriesDraft {
	let {lastAt} = series;
	const seconds = [...series.seconds];
	const minutes = [...series.minutes];
	const durations = draftDurations(series.durations);
	const happened = (at: number | undefined) => {
		lastAt = Math.max(at ?? 0, lastAt ?? 0) || undefined;
	};

	return {
		add({time, count, failed, ms}) {
			addSlot(seconds, [Math.floor(time / secondMilliseconds), count, failed]);
			addSlot(minutes, [Math.floor(time / minuteMilliseconds), count, failed]);
			happened(count === 0 ? undefined : time);
			if (ms !== undefined && Number.isFinite(ms)) {
				durations.add(durationClass(ms), 1);
			}
		},
		join(other) {
			seconds.splice(0, Infinity, ...joinSlots(seconds, other.seconds));
			minutes.splice(0, Infinity, ...joinSlots(minutes, other.minutes));
			other.durations.forEach(([name, count]) => durations.add(name, count));
			happened(other.lastAt);
		},
		result: () => ({...(lastAt !== undefined && {lastAt}), seconds, minutes, durations: durations.result()}),
	};
}

/** Adds to the slot of its time; slots older than the span fall out. A clock that was set back by more than the span begins again. */
function addSlot(slots: Slot[], [index, count, failed]: Slot): void {
	const newest = slots.at(-1)?.[0] ?? index;
	if (index <= newest - seriesSpan) {
		slots.length = 0;
	}

	const before = slots.findLastIndex(slot => slot[0] <= index);
	const same = slots[before];
	if (same?.[0] === index) {
		slots[before] = [index, same[1] + count, same[2] + failed];
	} else {
		slots.splice(before + 1, 0, [index, count, failed]);
	}

	while ((slots[0]?.[0] ?? index) <= index - seriesSpan) {
		slots.shift();
	}
}

function joinSlots(some: readonly Slot[], others: readonly Slot[]): readonly Slot[] {
	const joined: Slot[] = [];
	[...some, ...others].sort(([first], [second]) => first - second).forEach(slot => addSlot(joined, slot));
	return joined;
}

/** So many durations count; then each counts half, so that the latest matter most. */
const maxDurations = 1000;

function draftDurations(known: RateSeries['durations']) {
	let counts = new Map(known);
	let total = known.reduce((sum, [, count]) => sum + count, 0);
	return {
		add(name: number, count: number) {
			counts.set(name, (counts.get(name) ?? 0) + count);
			total += count;
			if (total > maxDurations) {
				const halves = [...counts].map(([key, value]) => [key, Math.floor(value / 2)] as const);
				counts = new Map(halves.filter(([, value]) => value > 0));
				total = [...counts.values()].reduce((sum, value) => sum + value, 0);
			}
		},
		result: (): RateSeries['durations'] => [...counts].sort(([first], [second]) => first - second),
	};
}

/** Up to here each millisecond is a class of its own; beyond, eight classes are twice as long, up to more than an hour. */
const exactMilliseconds = 64;
const lastClass = 200;

function durationClass(ms: number): number {
	return ms <= exactMilliseconds
		? Math.max(0, Math.round(ms))
		: Math.min(lastClass, exactMilliseconds + Math.round(Math.log2(ms / exactMilliseconds) * 8));
}

/** Median duration of the latest, in milliseconds, long ones to 5 %; undefined if none was measured. */
export function medianMilliseconds({durations}: RateSeries): number | undefined {
	const half = durations.reduce((sum, [, count]) => sum + count, 0) / 2;
	let passed = 0;
	const median = durations.find(([, count]) => (passed += count) >= half);
	return (
		median &&
		(median[0] <= exactMilliseconds ? median[0] : exactMilliseconds * 2 ** ((median[0] - exactMilliseconds) / 8))
	);
}

/** The counts of a window. */
export type RateTotals = {readonly count: number; readonly failed: number};

/** The counts of the slots after `index`, up to `until`. */
function totalsBetween(slots: readonly Slot[], index: number, until: number): RateTotals {
	const within = slots.filter(slot => slot[0] > index && slot[0] <= until);
	return {
		count: within.reduce((sum, slot) => sum + slot[1], 0),
		failed: within.reduce((sum, slot) => sum + slot[2], 0),
	};
}

/** The counts of the minute before `now`. */
export function lastMinute({seconds}: RateSeries, now: number): RateTotals {
	const second = Math.floor(now / secondMilliseconds);
	return totalsBetween(seconds, second - seriesSpan, second);
}

/** The rate per second in the minute before `now`. */
export function perSecond(series: RateSeries, now: number): number {
	// The newest second is not over yet.
	const milliseconds = (seriesSpan - 1) * secondMilliseconds + (now % secondMilliseconds) + 1;
	return (lastMinute(series, now).count * secondMilliseconds) / milliseconds;
}

/** The counts of the hour before `now`. */
export function lastHour({minutes}: RateSeries, now: number): RateTotals {
	const minute = Math.floor(now / minuteMilliseconds);
	return totalsBetween(minutes, minute - seriesSpan, minute);
}

/** The share of failures, from 0 to 1: in the last minute, or if that is empty, in the last hour; undefined if both are. */
export function failedShare(series: RateSeries, now: number): number | undefined {
	const minute = lastMinute(series, now);
	const {count, failed} = minute.count + minute.failed > 0 ? minute : lastHour(series, now);
	// A late failure may be the only count of its window.
	const all = Math.max(count, failed);
	return all === 0 ? undefined : failed / all;
}

/** Length of each of so many equal parts of a series, in slots. */
export function partLength(parts: number): number {
	return Math.max(1, Math.ceil(seriesSpan / Math.max(1, parts)));
}

/**
Totals of each of `cells` equal parts of the span that ends with the slot `last`, oldest first. Parts begin at multiples of their length, so a part
keeps its number; the newest one is not over yet.
*/
export function totalsByPart(
	slots: readonly Slot[],
	{last, cells}: {readonly last: number; readonly cells: number},
): readonly RateTotals[] {
	const length = partLength(cells);
	const newest = Math.floor(last / length);
	const totals = Array.from({length: cells}, (): RateTotals => ({count: 0, failed: 0}));
	for (const [index, count, failed] of slots) {
		const cell = cells - 1 - (newest - Math.floor(index / length));
		const before = totals[cell];
		if (before && index <= last) {
			totals[cell] = {count: before.count + count, failed: before.failed + failed};
		}
	}

	return totals;
}
