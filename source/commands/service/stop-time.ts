/**
Seconds that a stop may take: service managers wait so long before they kill, and `sluice stop` before it gives up. Runs get ten, a silent journal
about ten more, a slow one the rest (docs/deployment.md, Stop, restart, update).
*/
export const stopSeconds = 90;

/** The same with the time in which nothing is refused yet (docs/reverse-proxy.md, Behind a balancer), in whole seconds. */
export function longestStop(drainDelaySeconds: number): number {
	return stopSeconds + Math.ceil(drainDelaySeconds);
}

/** Seconds that the file lets a stop take: systemd.service(5), `TimeoutStopSec=`; launchd.plist(5), `ExitTimeOut`. */
export function stopSecondsOf(text: string, manager: 'systemd' | 'launchd'): number {
	if (manager === 'launchd') {
		return Number(/<key>ExitTimeOut<\/key>\s*<integer>(\d+)</u.exec(text)?.[1] ?? 20);
	}

	const written = [...text.matchAll(/^\s*Timeout(?:Stop)?Sec\s*=(.*)$/gmu)].at(-1)?.[1] ?? '';
	return timeSpanSeconds(written.trim()) ?? 90;
}

const spanUnits: Readonly<Record<string, number>> = {'': 1, us: 1e-6, ms: 1e-3, s: 1, sec: 1, m: 60, min: 60, h: 3600};

/** A time span as systemd writes and reads it, in seconds: systemd.time(7). Undefined for a text that we cannot read. */
export function timeSpanSeconds(text: string): number | undefined {
	if (text === 'infinity' || text === '0') {
		return Number.POSITIVE_INFINITY;
	}

	const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]*)\s*/gu)];
	const isWhole = parts.length > 0 && parts.map(([part]) => part).join('') === text;
	const seconds = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (spanUnits[unit] ?? Number.NaN), 0);
	return isWhole && !Number.isNaN(seconds) ? seconds : undefined;
}
