import {type Command} from './command.ts';

/** What runs can be taught. */
export const skillsCommands: readonly Command[] = [
	{
		words: ['skills', 'list'],
		usage: 'sluice skills list [--json]',
		summary: 'The skills that routes and jobs can name, and what keeps others from loading',
		flags: ['json'],
		examples: ['sluice skills list', 'sluice --profile work skills list --json'],
		run: async (context, session) => (await import('./skills-list.ts')).runSkillsList(context, session.paths.skills),
	},
];
