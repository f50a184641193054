/** The web app’s log-in and what can go wrong with it. */
export const login = {
  "A log-in works only once. The start page shows whether you are logged in.":
    "Un inicio de sesión solo sirve una vez. La página de inicio muestra si ha iniciado sesión.",
  "Finish logging in": "Terminar de iniciar sesión",
  "Finish logging in?": "¿Terminar de iniciar sesión?",
  "For your safety, you have to finish a log-in within ten minutes.":
    "Por su seguridad, un inicio de sesión debe terminarse en diez minutos.",
  "Go back": "Volver",
  "If it was, your browser did not keep our cookie: allow cookies for this site, then start again.":
    "Si se empezó en él, su navegador no guardó nuestra cookie: permita las cookies de este sitio y empiece de nuevo.",
  "If you have just allowed Samespot at the directory, continue. If somebody sent you here, cancel: you would be logged in to their account.":
    "Si acaba de autorizar Samespot en el directorio, continúe. Si alguien le ha enviado aquí, cancele: entraría en la cuenta de esa persona.",
  "If you started it a moment ago, your browser did not keep our cookie: allow cookies for this site, then start again.":
    "Si lo empezó hace un momento, su navegador no guardó nuestra cookie: permita las cookies de este sitio y empiece de nuevo.",
  "It does not accept this Samespot as an application. Ask an admin of Samespot to check the client id and the client secret.":
    "No acepta este Samespot como aplicación. Pida a un administrador de Samespot que compruebe el identificador y el secreto de cliente.",
  "It ended before you had confirmed that it is you, perhaps because you logged out. Log in to continue.":
    "Terminó antes de que confirmara su identidad, quizá porque cerró la sesión. Inicie sesión para continuar.",
  "It may have been finished already, or have taken more than ten minutes. Nobody has been logged in.":
    "Puede que ya haya terminado o que haya durado más de diez minutos. No se ha iniciado ninguna sesión.",
  "It may have taken too long, or been used already. Nobody has been logged in.":
    "Puede que haya durado demasiado o que ya se haya usado. No se ha iniciado ninguna sesión.",
  "It reported a problem or sent an answer that cannot be read. Nobody has been logged in.":
    "Comunicó un problema o envió una respuesta ilegible. No se ha iniciado ninguna sesión.",
  "It was not started here, or too long ago. Nobody has been logged in.":
    "No se empezó aquí, o hace demasiado tiempo. No se ha iniciado ninguna sesión.",
  "It was started or answered by a directory that Samespot does not use. Nobody has been logged in.":
    "Lo empezó o respondió un directorio que Samespot no usa. No se ha iniciado ninguna sesión.",
  "Log in to continue": "Inicie sesión para continuar",
  "Log out of the directory, then try again.": "Cierre la sesión del directorio y vuelva a intentarlo.",
  "More than one log-in is waiting in this browser": "Hay más de un inicio de sesión pendiente en este navegador",
  "No log-in is waiting in this browser": "No hay ningún inicio de sesión pendiente en este navegador",
  "Nobody has been logged in.": "No se ha iniciado ninguna sesión.",
  "Nobody has been logged in. Please try again in a moment.":
    "No se ha iniciado ninguna sesión. Vuelva a intentarlo dentro de un momento.",
  "Nothing has changed": "No ha cambiado nada",
  "Nothing was shared with Samespot, and nothing has changed here.":
    "No se ha compartido nada con Samespot y aquí no ha cambiado nada.",
  "Please start again in {wait}.": "Vuelva a empezar dentro de {wait}.",
  "Samespot therefore cannot be sure that it is you. Nothing has changed.":
    "Por eso Samespot no puede estar seguro de que es usted. No ha cambiado nada.",
  "Start again": "Empezar de nuevo",
  "Start again: this ends the other log-ins.": "Empiece de nuevo: así terminan los demás inicios de sesión.",
  "That was another account": "Era otra cuenta",
  "The address is incomplete, or does not come from the directory.":
    "La dirección está incompleta o no procede del directorio.",
  "The directory could not log you in": "El directorio no pudo iniciar su sesión",
  "The directory did not accept this log-in": "El directorio no aceptó este inicio de sesión",
  "The directory did not ask for your password again": "El directorio no volvió a pedirle la contraseña",
  'The directory did not confirm which browser started this log-in. One was started in this browser <time datetime="{at}">{ago}</time>.':
    'El directorio no confirmó qué navegador empezó este inicio de sesión. En este navegador se empezó uno <time datetime="{at}">{ago}</time>.',
  "The directory did not say which of them it is answering. Nobody has been logged in.":
    "El directorio no indicó a cuál de ellos responde. No se ha iniciado ninguna sesión.",
  "The directory does not answer": "El directorio no responde",
  "The directory is busy": "El directorio está ocupado",
  "The directory refused Samespot": "El directorio ha rechazado Samespot",
  "The log-in cannot be loaded in advance. Open the page to log in.":
    "El inicio de sesión no se puede cargar por adelantado. Abra la página para iniciar sesión.",
  "This log-in belongs to another directory": "Este inicio de sesión es de otro directorio",
  "This log-in cannot be finished": "Este inicio de sesión no se puede terminar",
  "This log-in has been used already": "Este inicio de sesión ya se ha usado",
  "This log-in is unknown": "Este inicio de sesión es desconocido",
  "This log-in took too long": "Este inicio de sesión ha durado demasiado",
  "This log-in was not started in this browser": "Este inicio de sesión no se empezó en este navegador",
  "To confirm that it is you, log in at the directory with the account you use here. Nothing has changed.":
    "Para confirmar su identidad, inicie sesión en el directorio con la cuenta que usa aquí. No ha cambiado nada.",
  "You are logged in": "Ha iniciado sesión",
  "You can close this window or continue in it.": "Puede cerrar esta ventana o continuar en ella.",
  "You did not allow access": "No ha permitido el acceso",
  "You did not allow access at the directory. You are still logged in here as before.":
    "No ha permitido el acceso en el directorio. Aquí su sesión sigue iniciada como antes.",
  "You followed a link from another site. To open the page, log in with your account at <b>{directory}</b>.":
    "Ha seguido un enlace desde otro sitio. Para abrir la página, inicie sesión con su cuenta de <b>{directory}</b>.",
  "Your session has ended": "Su sesión ha terminado",
  "Try again": "Reintentar",
};
