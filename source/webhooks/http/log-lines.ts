import {type Publish} from '../../state/event.ts';
import {errorText, Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** The log lines of webhooks. */
type LogLines = {
	/** An internal error, which no sender may see; nothing for a journal that cannot be used. */
	readonly error: (caught: unknown) => void;
	/** Logs the reason that the script of a route failed. */
	readonly scriptFault: (route: string, fault: string) => void;
	/** A valid signature of the legacy scheme; logged once per route (docs/webhooks.md, Signatures). */
	readonly legacySignature: (route: string) => void;
};

/** Creates the log lines, with no route warned about yet. */
export function createLogLines(publish: Publish): LogLines {
	const warned = new Set<string>();
	const report = (level: 'warning' | 'error', text: string) => {
		publish({type: 'log', level, area: 'webhooks', text: safeText(text)});
	};

	return {
		error(caught) {
			// That is said once, where the journal is: not for each event that it refuses.
			if (caught instanceof Problem && caught.code === 'storage_unavailable') {
				return;
			}

			const text =
				caught instanceof Problem ? [caught.message, caught.detail].filter(Boolean).join(': ') : errorText(caught);
			report('error', text);
		},
		scriptFault: (route, fault) => report('warning', `route ${route}: the script: ${fault}; the event was ignored`),
		legacySignature(route) {
			if (!warned.has(route)) {
				warned.add(route);
				report(
					'warning',
					`route ${route}: X-Webhook-Signature has no replay protection and is deprecated; send X-Webhook-Signature-V2`,
				);
			}
		},
	};
}
