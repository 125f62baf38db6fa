import {bind} from './key-scope.ts';

/** The keys of forms: for what may be filled in, and for a form as a whole. */
export const formKeys = [
	bind('form', 'pagedown', {action: 'page-down', words: 'scroll the text down, the field stays in sight'}),
	bind('form', 'pageup', {action: 'page-up', words: 'scroll the text up'}),
	bind('form-text', 'tab down', {action: 'form-next', words: 'next field', hint: 'next field'}),
	bind('form-text', 'shift+tab up', {action: 'form-previous', words: 'previous field', hint: 'previous'}),
	bind('form-text', 'esc', {action: 'form-leave', words: 'leave the form (asks whether to cancel)', hint: 'leave'}),
	bind('form-pick', 'space enter', {action: 'form-pick', words: 'select or unselect this value', hint: 'select'}),
	bind('form-pick', 'tab down j', {action: 'form-next', words: 'next value or field', hint: 'next'}),
	bind('form-pick', 'shift+tab up k', {action: 'form-previous', words: 'previous value or field', hint: 'previous'}),
	bind('form-pick', 'd', {action: 'form-decline', words: 'decline to answer', hint: 'decline'}),
	bind('form-pick', 'esc', {action: 'form-leave', words: 'leave the form (asks whether to cancel)', hint: 'leave'}),
	bind('form-end', 'enter', {action: 'form-submit', words: 'send the answer', hint: 'send'}),
	bind('form-end', 'd', {action: 'form-decline', words: 'decline to answer', hint: 'decline'}),
	bind('form-end', 'shift+tab up k', {
		action: 'form-previous',
		words: 'back to the fields',
		hint: 'back to the fields',
	}),
	bind('form-end', 'esc', {action: 'form-leave', words: 'leave the form (asks whether to cancel)', hint: 'leave'}),
	bind('form-url', 'o', {action: 'open-address', words: 'open the page in a browser here, and accept', hint: 'open'}),
	bind('form-url', 'enter', {
		action: 'form-submit',
		words: 'accept, and open the page yourself',
		hint: 'open it yourself',
	}),
	bind('form-url', 'c', {action: 'copy', words: 'copy the address', hint: 'copy'}),
	bind('form-url', 'd', {action: 'form-decline', words: 'decline to open it', hint: 'decline'}),
	bind('form-url', 'esc', {action: 'form-leave', words: 'leave the page (asks whether to cancel)', hint: 'leave'}),
	bind('call-end', 'enter', {action: 'form-submit', words: 'call the tool', hint: 'call'}),
	bind('call-end', 'shift+tab up k', {
		action: 'form-previous',
		words: 'back to the fields',
		hint: 'back to the fields',
	}),
	bind('call-end', 'esc', {action: 'form-leave', words: 'leave the form', hint: 'leave'}),
];

/** The keys of a text field, and of the list of commands above the one for commands. */
export const textKeys = [
	bind('text', 'esc', {action: 'back', words: 'leave the field', hint: 'leave'}),
	bind('text', 'tab', {action: 'complete', words: 'complete', hint: 'complete'}),

	bind('palette', 'up ctrl+p', {action: 'up', words: 'the command above'}),
	bind('palette', 'down ctrl+n', {action: 'down', words: 'the command below'}),
	bind('palette', 'pageup', {action: 'page-up', words: 'page up'}),
	bind('palette', 'pagedown', {action: 'page-down', words: 'page down'}),

	bind('editing', 'home ctrl+a', {action: 'line-start', words: 'to the beginning of the text'}),
	bind('editing', 'end ctrl+e', {action: 'line-end', words: 'to the end of the text'}),
	bind('editing', 'left ctrl+b', {action: 'character-left', words: 'one character to the left'}),
	bind('editing', 'right ctrl+f', {action: 'character-right', words: 'one character to the right'}),
	bind('editing', 'meta+b ctrl+left meta+left', {action: 'word-left', words: 'one word to the left'}),
	bind('editing', 'meta+f ctrl+right meta+right', {action: 'word-right', words: 'one word to the right'}),
	bind('editing', 'backspace', {action: 'erase-left', words: 'erase the character before the cursor'}),
	bind('editing', 'delete ctrl+d', {action: 'erase-right', words: 'erase the character under the cursor'}),
	bind('editing', 'ctrl+w meta+backspace', {action: 'erase-word', words: 'erase back to the last blank'}),
	bind('editing', 'meta+d', {action: 'erase-word-right', words: 'erase to the end of the word'}),
	bind('editing', 'ctrl+u', {action: 'erase-to-start', words: 'erase to the beginning of the text'}),
	bind('editing', 'ctrl+k', {action: 'erase-to-end', words: 'erase to the end of the text'}),
];
