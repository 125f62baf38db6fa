import {expect, test, vi} from 'vitest';
import {type PageRow} from '../../../source/state/snapshot.ts';

test('a page that was drawn before what reads Markdown is loaded is drawn as Markdown after that', async () => {
	vi.resetModules();
	const {pageLines} = await import('../../../source/tui/pages/page-lines.ts');
	const {loadMarkdown} = await import('../../../source/tui/text/markdown-lines.ts');
	const subject = {kind: 'run', runId: 'a91c'} as const;
	const page: PageRow = {
		profile: 'default',
		title: 'Run a91c',
		subject,
		sections: [{title: 'Answer', text: 'It is **done**.', layout: 'markdown'}],
		shownAt: 0,
	};
	const drawn = () =>
		pageLines(subject, page, {width: 40, missing: ''})
			.flat()
			.map(({text}) => text)
			.join('');
	expect(drawn()).toContain('It is **done**.');
	await loadMarkdown();
	expect(drawn()).toContain('It is done.');
});
