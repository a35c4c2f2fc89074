import { StrictMode, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, Link, Navigate, Outlet, RouterProvider, useNavigate, useParams } from "react-router";
import "../../shared/menu.js";
import "../../shared/style.css";
import { endless, items, tracked, traps } from "../../shared/acts.js";

const Go = ({ to, children }) => {
  const go = useNavigate();
  return <div className="go" onClick={() => go(to)}>{children}</div>;
};

const Frame = () => {
  const go = useNavigate();
  const [open, setOpen] = useState(false);
  const menu = useRef(null);
  useEffect(() => {
    const follow = (event) => go(event.detail);
    menu.current.addEventListener("go", follow);
    return () => menu.current?.removeEventListener("go", follow);
  }, [go]);
  const pick = (act) => () => {
    setOpen(false);
    act();
  };
  return (
    <>
      <header>
        <nav>
          <Link to="/">Home</Link> <Link to="/about">About</Link> <Link to="/home">Start</Link> <a href="/guide.html">Guide</a>
          <Go to="/products">Products</Go>
          <button type="button" aria-haspopup="menu" onClick={() => setOpen(!open)}>Company</button>
          {open && (
            <ul role="menu">
              <li role="menuitem" className="go" onClick={pick(() => go("/team"))}>Team</li>
              <li role="menuitem" className="go" onClick={pick(tracked(go, "/careers"))}>Careers</li>
            </ul>
          )}
        </nav>
        <site-menu ref={menu}></site-menu>
      </header>
      <main><Outlet /></main>
    </>
  );
};

const Text = ({ title, children }) => (
  <>
    <h1>{title}</h1>
    <p>This is what the page called {title} says, in a sentence of its own.</p>
    {children}
  </>
);

const Home = () => {
  const go = useNavigate();
  return (
    <Text title="Home">
      <Go to="/settings">Settings</Go>
      <span className="go" onClick={() => go("/lazy")}>Something heavy</span>
      <Go to="/feed">Feed</Go>
      {traps(go).map(([label, act]) => <button type="button" key={label} onClick={act}>{label}</button>)}
      <form action="/submitted" method="post"><input name="q" /><button>Search</button></form>
      <a download href="/catalogue.zip">Catalogue</a>
    </Text>
  );
};

const About = () => {
  const [tab, setTab] = useState("history");
  return (
    <Text title="About">
      <div role="tablist">
        {["history", "values"].map((name) => <div role="tab" key={name} onClick={() => setTab(name)}>{name}</div>)}
      </div>
      {tab === "values" ? <p>What we hold dear: <Link to="/values">our values</Link></p> : <p>It began in a garage.</p>}
    </Text>
  );
};

const Products = () => {
  const [list, setList] = useState([]);
  const [more, setMore] = useState(false);
  const load = async (from) => {
    const found = await items(from);
    setList((before) => [...before.slice(0, from), ...found.items]);
    setMore(found.more);
  };
  useEffect(() => void load(0), []);
  return (
    <Text title="Products">
      {list.map((each) => <Go key={each.id} to={`/products/${each.id}`}>{each.name}</Go>)}
      {more && <button type="button" onClick={() => load(list.length)}>Load more</button>}
    </Text>
  );
};

const Product = () => {
  const { id } = useParams();
  return (
    <Text title={`Product ${id}`}>
      <div role="tablist"><Go to="specs"><span role="tab">Specifications</span></Go></div>
      <Outlet />
    </Text>
  );
};
const Specs = () => <p>The measures of product {useParams().id}, to the millimetre.</p>;

const Settings = () => (
  <Text title="Settings">
    <Go to="profile">Profile</Go>
    <Go to="security">Security</Go>
    <Outlet />
  </Text>
);

const Feed = () => {
  const list = useRef(null);
  useEffect(() => {
    if (!list.current.children.length) endless(list.current);
  }, []);
  return <Text title="Feed"><div><div ref={list} /><i>…</i></div></Text>;
};

const text = (path, title) => ({ path, element: <Text title={title} /> });
const router = createBrowserRouter([
  {
    element: <Frame />,
    children: [
      { path: "/", element: <Home /> },
      { path: "/home", element: <Navigate to="/" replace /> },
      { path: "/about", element: <About /> },
      { path: "/products", element: <Products /> },
      { path: "/products/:id", element: <Product />, children: [{ path: "specs", element: <Specs /> }] },
      { path: "/settings", element: <Settings />, children: [text("profile", "Profile"), text("security", "Security")] },
      { path: "/lazy", lazy: () => import("./lazy.jsx") },
      { path: "/feed", element: <Feed /> },
      ...["team", "careers", "values", "contact", "press", "deleted", "bought", "logged-out"].map((name) => text(`/${name}`, name)),
    ],
  },
]);
createRoot(document.getElementById("root")).render(<StrictMode><RouterProvider router={router} /></StrictMode>);
