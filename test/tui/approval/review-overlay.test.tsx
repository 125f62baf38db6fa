import {expect, test} from 'vitest';
import {ReviewOverlay} from '../../../source/tui/approval/review-overlay.tsx';
import {openReview, type ReviewMode} from '../../../source/tui/state/review.ts';
import {frameOf, screenOf} from '../render-component.tsx';
import {approval, started} from '../sample-events.ts';

const events = [started(), approval('1'), approval('2', {tool: 'merge'})];
const overlayOf = (change: Partial<ReviewMode>) => {
	const review = {...openReview({id: '1'}), ...change};
	return frameOf(<ReviewOverlay screen={screenOf(events, {mode: review})} review={review} height={24} />);
};

test('shows one request: what is called, and all of its arguments', () => {
	const text = overlayOf({});
	expect(text.split('\n')).toHaveLength(24);
	expect(text).toContain('1 of 2');
	expect(text).toContain('create_issue');
	expect(text).toContain('"repo": "acme/app"');
	expect(text).not.toContain('merge');
});

test('its page for a remembered approval names what is stored', () => {
	const text = overlayOf({page: 'always'});
	expect(text.split('\n')).toHaveLength(24);
	expect(text).toContain('mcp__github__create_issue');
});

test('is empty for a request that is gone', () => {
	expect(overlayOf({cardId: 'gone'}).trim()).toBe('');
});

test.each([
	['limits.run.tokens', 'this run'],
	['limits.day.tokens', 'today'],
])('says of %s that allowing lifts it for %s, and offers nothing longer', (tool, time) => {
	const card = approval('1', {kind: 'limit', server: 'sluice', tool, registeredName: tool, trust: 'full'});
	const review = {...openReview({id: '1'}), seenLines: 100};
	const frame = frameOf(
		<ReviewOverlay screen={screenOf([started(), card], {mode: review})} review={review} height={24} />,
	);
	expect(frame).toContain(`limit   ${tool}   is reached`);
	expect(frame).toContain(`lifts   it for ${time}`);
	expect(frame).not.toMatch(/until Sluice stops|Always allow|Propose a rule/u);
});
