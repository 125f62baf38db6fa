import {lastHour, lastMinute, medianMilliseconds, type RateSeries, type RateTotals} from '../../state/rate-series.ts';
import {minutesText, tookText} from './duration-text.ts';
import {drawUiGlyphs, uiText} from '../../util/characters/ui-glyphs.ts';
import {type Span, span} from './span.ts';
import {groupedNumber} from '../../state/number-text.ts';

const bars = Array.from(uiText`▁▂▃▄▅▆▇█`);

/** Numbers as bars of one cell each, and blanks for zeros. The largest fills its cell, unless all are small. */
export function sparkline(counts: readonly number[]): string {
	const most = Math.max(bars.length, ...counts);
	return counts.map(count => (count > 0 ? bars[Math.ceil((count / most) * bars.length) - 1] : ' ')).join('');
}

const drawnBars = new RegExp(`[${drawUiGlyphs(bars.join(''), 'unicode')}]+`, 'gu');

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
