// Runs before the first drawing, so that nothing flashes. It is a file of its own: no script stands in the document.
const theme = localStorage.getItem('heyline-theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
