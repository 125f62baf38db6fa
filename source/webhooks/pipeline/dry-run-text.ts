import {safeText} from '../../util/safe-text.ts';
import {type DryRun} from './dry-run.ts';

const shownCharacters = 20_000;

/** A dry run for a person: facts in lines, then the prompt. */
export function dryRunText(run: DryRun): string {
	const prompt = dryRunPrompt(run);
	return `${[...dryRunFacts(run), ...(prompt === undefined ? [] : ['', prompt])].join('\n')}\n`;
}

/** The rendered prompt, safe to show; undefined when the route would do nothing. */
export function dryRunPrompt({action}: DryRun): string | undefined {
	return action && safeText(action.prompt, {multiline: true, maximumCharacters: shownCharacters});
}

/** Everything but the prompt, one fact a line, safe to show. */
export function dryRunFacts(run: DryRun): readonly string[] {
	const {route, event, status, outcome, reason, filters, filter, script_output: script, action, warnings} = run;
	const verdict = [status, outcome, reason].filter(word => word !== null).join(' ');
	const lines = [
		`route: ${route}`,
		`event: ${event}`,
		`verdict: ${verdict}`,
		`filters: ${filters}${filter === null ? '' : ` by ${filter}`}`,
		...(script === null ? [] : [`script: ${script}`]),
		...(action
			? [
					`action: ${action.kind}${action.cron_job === undefined ? '' : ` ${action.cron_job}`}`,
					`deliver: ${action.deliver}`,
					`deliver_extra: ${JSON.stringify(action.deliver_extra)}`,
				]
			: ['action: none']),
		...warnings.map(warning => `warning: ${warning}`),
	];
	return lines.map(line => safeText(line));
}
