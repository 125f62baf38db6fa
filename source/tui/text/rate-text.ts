import {lastHour, lastMinute, medianMilliseconds, type RateSeries, type RateTotals} from '../../state/rate-series.ts';
import {minutesText, tookText} from './duration-text.ts';
import {drawUiGlyphs, uiText} from '../../util/characters/ui-glyphs.ts';
import {type Line, type Span, span} from './span.ts';
import {groupedNumber} from '../../state/number-text.ts';

const bars = Array.from(uiText`▁▂▃▄▅▆▇█`);

/** Bars in which something failed: without colours, too, they are not like the others. */
const failedBars = Array.from(uiText`░▒▓`);

/** Bars of one cell each, and blanks for parts in which nothing happened. The largest fills its cell, unless all are small; those with failures have a glyph and a tone of their own. */
export function sparkline(parts: readonly RateTotals[]): Line {
	const most = Math.max(bars.length, peakOf(parts));
	const line: Span[] = [];
	for (const part of parts) {
		const {text, tone} = barOf(part, most);
		const before = line.at(-1);
		if (before?.tone === tone) {
			line[line.length - 1] = span(before.text + text, tone);
		} else {
			line.push(span(text, tone));
		}
	}

	return line;
}

/** The value of the largest bar. */
export function peakOf(parts: readonly RateTotals[]): number {
	return Math.max(0, ...parts.map(sizeOf));
}

/** A late failure may be the only count of its part. */
function sizeOf({count, failed}: RateTotals): number {
	return Math.max(count, failed);
}

function barOf(part: RateTotals, most: number): Span {
	const size = sizeOf(part);
	const glyphs = part.failed > 0 ? failedBars : bars;
	const text = size === 0 ? ' ' : (glyphs[Math.ceil((size / most) * glyphs.length) - 1] ?? ' ');
	return span(text, part.failed === 0 ? 'normal' : failureTone(part.failed / size));
}

/** The tone of a share of failures. */
export function failureTone(share: number): Span['tone'] {
	return share < 0.5 ? 'busy' : 'bad';
}

const drawnBars = new RegExp(`[${drawUiGlyphs([...bars, ...failedBars].join(''), 'unicode')}]+`, 'gu');

/** A drawn text as it is read aloud: bars say nothing there, and the numbers stand beside them. */
export function withoutBars(text: string): string {
	return text.replaceAll(drawnBars, ' ');
}

/** A rate per second: `500`, `1.5`, `0.03`, `12k`. */
export function rateText(perSecond: number): string {
	if (perSecond >= 10_000) {
		return `${Math.round(perSecond / 1000)}k`;
	}

	return perSecond >= 10 || perSecond === 0 ? `${Math.round(perSecond)}` : perSecond.toFixed(perSecond >= 1 ? 1 : 2);
}

/** A count in at most six characters: `9,999`, `12k`. */
export function countText(count: number): string {
	return count < 10_000 ? groupedNumber(count) : `${groupedNumber(Math.round(count / 1000))}k`;
}

/** A share from 0 to 1: `3 %`. Only nothing is 0, and only all is 100. */
export function shareText(share: number): string {
	const percent = Math.round(share * 100);
	return `${share > 0 && share < 1 ? Math.min(99, Math.max(1, percent)) : percent} %`;
}

/** The cell for an absent value. */
export const nothing: Span = span(uiText`–`, 'dim');

/** The median duration. */
export function medianSpan(series: RateSeries | undefined): Span {
	const median = series && medianMilliseconds(series);
	return median === undefined ? nothing : span(tookText(median));
}

/** An age: `0:41`, `3 h`, `2 d`. */
export function agoText(milliseconds: number): string {
	const hours = Math.floor(milliseconds / 3_600_000);
	return hours < 1 ? minutesText(milliseconds) : hours < 24 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** A series in words, for details; empty when there is none. */
export function rateWords(series: RateSeries | undefined, now: number): string {
	if (!series) {
		return '';
	}

	const median = medianMilliseconds(series);
	return [
		totalsWords(lastMinute(series, now), 'minute'),
		totalsWords(lastHour(series, now), 'hour'),
		median === undefined ? '' : `p50 ${tookText(median)}`,
		series.lastAt === undefined ? '' : `last ${agoText(now - series.lastAt)} ago`,
	]
		.filter(part => part !== '')
		.join(uiText` · `);
}

/** A failure counts when it happens: in a window more may fail than came in it. */
function totalsWords({count, failed}: RateTotals, window: string): string {
	const earlier = failed > count ? ', earlier ones among them' : '';
	return `${groupedNumber(count)} in the last ${window}, ${groupedNumber(failed)} failed${earlier}`;
}
