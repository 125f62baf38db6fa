import {type TraceJson} from '../../state/json/event.ts';
import {tookText} from '../../state/time-text.ts';
import {lineTimes, shareTexts, useWords} from '../../state/trace.ts';
import {safeText} from '../../util/safe-text.ts';

/** A trace as text: a line for each thing that happened, and what the time was spent on. Nothing where the journal has none of it. */
export function traceText({lines, shares}: TraceJson): readonly string[] {
	const times = lines.map(({time}) => time);
	const whens = lineTimes(times, times[0] ?? 0);
	const whole = shares.reduce((sum, {ms}) => sum + ms, 0);
	const uses = shareTexts(shares).map(({use, text}) => `${useWords[use]} ${text}`);
	return [
		...(lines.length === 0 ? [] : ['trace:']),
		...lines.map(({kind, state, subject, facts}, index) => {
			const about = [subject, facts.join(' · ')].filter(text => text !== '').join('  ');
			return safeText(
				`${(whens[index] ?? '').padStart(14)}  ${kind.padEnd(8)}  ${state.padEnd(9)}  ${about}`,
			).trimEnd();
		}),
		...(whole === 0 ? [] : [`${tookText(whole).padStart(14)}  ${uses.join(', ')}`]),
	];
}
